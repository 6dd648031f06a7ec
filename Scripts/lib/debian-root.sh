# A new Debian system in a separate folder, for scripts that install packages in it or need its versions. Sourced after common.sh.

# new_system SUITE [PACKAGE...]   sets up the system in the folder $SYSTEM, with these packages; it is removed when the script ends. Needs root.
# The first time, debootstrap downloads it; the packed result stays in .build/systems, and may be deleted at any time.
new_system() {
    need debootstrap=debootstrap
    [ "$(id -u)" = 0 ] || die "only root can set up a system; run this with sudo"
    local suite=$1 folder=$ROOT/.build/systems include=()
    shift
    local name=$suite words=$*
    if [ $# -gt 0 ]; then
        name+=-${words// /-}
        include=(--include="${words// /,}")
    fi
    SYSTEM=$(mktemp -d)
    trap remove_system EXIT
    chmod 755 "$SYSTEM"
    say "== a new system: $suite"
    if [ -e "$folder/$name.tar" ]; then
        tar -C "$SYSTEM" --numeric-owner -xpf "$folder/$name.tar"
    else
        debootstrap --variant=minbase "${include[@]}" "$suite" "$SYSTEM" >&2
        mkdir -p "$folder"
        # Renamed into place, because the script may be interrupted.
        tar -C "$SYSTEM" --numeric-owner -cpf "$folder/$name.tar.$$" .
        mv "$folder/$name.tar.$$" "$folder/$name.tar"
    fi
    cp /etc/resolv.conf "$SYSTEM/etc/resolv.conf"
    # Without /sys and the devices of this system. A terminal needs /dev/pts.
    mount -t proc proc "$SYSTEM/proc"
    mount -t devpts -o mode=620,ptmxmode=666 devpts "$SYSTEM/dev/pts"
}

remove_system() {
    umount "$SYSTEM/dev/pts" "$SYSTEM/proc" 2>/dev/null || true
    rm -rf --one-file-system "$SYSTEM"
}

# inside COMMAND...   runs a command in the new system, without this one's environment.
inside() { chroot "$SYSTEM" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }

# newest_deb FOLDER   prints the path of the newest .deb of the tool.
newest_deb() {
    local deb
    deb=$(find "$1" -maxdepth 1 -name 'authhub_*.deb' -printf '%T@ %p\n' | sort -n | tail -n 1 | cut -d' ' -f2-)
    [ -n "$deb" ] || die "there is no .deb in $1"
    printf '%s\n' "$deb"
}
