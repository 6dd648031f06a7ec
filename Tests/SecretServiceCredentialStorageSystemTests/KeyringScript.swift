/// The commands of a private keyring's shell. The shell ends everything that it started when its standard input ends, which is at the
/// latest when the test process exits.
///
/// Each line of input is a command. Each line of output contains the command's status and output, in base64url.
let keyringScript = #"""
    exec 2>/dev/null
    folder=$1
    export PATH HOME=$folder/home XDG_RUNTIME_DIR=$folder/run DBUS_SESSION_BUS_ADDRESS=unix:path=$folder/run/bus
    export GTK_A11Y=none NO_AT_BRIDGE=1 GSETTINGS_BACKEND=memory LC_ALL=C.UTF-8
    unset DISPLAY WAYLAND_DISPLAY XDG_DATA_HOME XDG_CONFIG_HOME
    mkdir -p -m 700 "$HOME" "$XDG_RUNTIME_DIR" "$folder/services"
    service=org.freedesktop.secrets
    daemon='' bus='' screen='' monitor=''

    # until_done COMMAND...   within 120 seconds, or it fails.
    until_done() {
        local end=$((SECONDS + 120))
        while [ $SECONDS -lt $end ]; do "$@" >/dev/null 2>&1 && return 0; sleep 0.05; done
        echo "never done: $*"
        return 1
    }
    start_bus() {
        cat >"$folder/bus.conf" <<END
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig><type>session</type><listen>unix:path=$XDG_RUNTIME_DIR/bus</listen><servicedir>$folder/services</servicedir><auth>EXTERNAL</auth>
    <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
    END
        for name in SystemPrompter PrivatePrompter; do
            printf '[D-BUS Service]\nName=org.gnome.keyring.%s\nExec=/usr/libexec/gcr-prompter\n' $name >"$folder/services/$name.service"
        done
        dbus-daemon --config-file="$folder/bus.conf" --nofork --nopidfile </dev/null >/dev/null 2>&1 &
        bus=$!
        until_done test -S "$XDG_RUNTIME_DIR/bus"
    }
    call() { gdbus call --session --timeout 120 --dest "$1" --object-path "$2" --method "$3" "${@:4}"; }
    has_owner() { call org.freedesktop.DBus /org/freedesktop/DBus org.freedesktop.DBus.GetNameOwner $service; }
    # start_daemon INPUT ARGUMENTS...
    start_daemon() {
        gnome-keyring-daemon --foreground --components=secrets "${@:2}" <"$1" >/dev/null 2>&1 &
        daemon=$!
        until_done has_owner
    }
    start_unlocked() { printf 'correct horse' >"$folder/password"; start_daemon "$folder/password" --unlock; rm "$folder/password"; }
    start_locked() { start_daemon /dev/null; }
    lock() { call $service /org/freedesktop/secrets org.freedesktop.Secret.Service.Lock "['/org/freedesktop/secrets/collection/login']"; }
    signal() { kill "-$1" "$daemon"; }
    end_daemon() { kill -KILL "$daemon"; wait "$daemon" 2>/dev/null; daemon=''; }
    start_screen() {
        # Without -noreset it starts anew whenever its last client leaves, and drops who comes in that moment.
        Xvfb -displayfd 3 -screen 0 800x600x24 -nolisten tcp -noreset 3>"$folder/screen" >/dev/null 2>&1 &
        screen=$!
        until_done test -s "$folder/screen"
        export DISPLAY=:$(cat "$folder/screen")
    }
    has_window() { xdotool search --onlyvisible --class gcr-prompter; }
    has_no_window() { ! has_window; }
    # Without a window manager, no window gets the keyboard by itself.
    focus_window() {
        local window
        window=$(has_window | head -n 1) && [ -n "$window" ] && xdotool windowfocus "$window" && [ "$(xdotool getwindowfocus)" = "$window" ]
    }
    # answer PASSWORD KEY [CONFIRMED]   types into the prompt, once: keys for a prompt that has got the first ones already could press Cancel.
    answer() {
        until_done has_window && until_done focus_window || return 1
        [ -z "$1" ] || xdotool type "$1"
        [ -z "${3-}" ] || { xdotool key Tab; xdotool type "$1"; }
        xdotool key "$2"
        until_done has_no_window
    }
    start_monitor() {
        stdbuf -o0 dbus-monitor --address "$DBUS_SESSION_BUS_ADDRESS" --pcap >"$folder/traffic" &
        monitor=$!
        until_done test -s "$folder/traffic"
    }
    finish() {
        for process in $daemon $bus $screen $monitor; do kill -CONT "$process"; kill -KILL "$process"; done 2>/dev/null
        rm -rf "$folder"
    }
    trap finish EXIT
    while IFS= read -r line; do
        output=$(mktemp "$folder/output.XXXXXX")
        eval "$line" >"$output" 2>&1 </dev/null
        echo "$? $(base64 -w 0 "$output" | tr '+/' '-_' | tr -d =)"
        rm -f "$output"
    done
    """#
