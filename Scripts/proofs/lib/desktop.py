"""A separate desktop: a screen in memory, a message bus with a keyring and assistive technologies, and no data of the user."""
import os
import signal
import subprocess
import time

from message_bus import has_owner
from outside import PATIENCE, Home, expect
from screen import Screen
from web_sign_in import command_of

LAUNCHER = "/usr/libexec/at-spi-bus-launcher"
# A bus that starts nothing itself: everything on it was started by the proof.
BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path={path}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>"""
QUIET = dict(stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class Desktop:
    """Must be created before AT-SPI is used in this process, because it also applies to the process itself."""

    def __init__(self):
        self.home = Home()
        self.processes = []
        address = f"unix:path={self.home.path}/run/bus"
        self.home.environment.update(
            DBUS_SESSION_BUS_ADDRESS=address, GSK_RENDERER="cairo", GDK_BACKEND="x11", GSETTINGS_BACKEND="memory", XDG_SESSION_TYPE="x11")
        try:
            self.screen = Screen(self.home)
            self.home.environment["DISPLAY"] = self.screen.display
            self.start("dbus-daemon", f"--config-file={self.home.write('bus.conf', BUS.format(path=self.home.path + '/run/bus'))}",
                       "--nofork", "--nopidfile")
            self.until(lambda: os.path.exists(f"{self.home.path}/run/bus"), "a message bus")
            self.start(LAUNCHER, "--launch-immediately")
            self.until(lambda: has_owner(self.home, "org.a11y.Bus"), "a bus for assistive technology")
            self.start_keyring()
        except BaseException:
            self.end()
            raise
        os.environ.update(self.home.environment)

    def start(self, *words, **options):
        process = subprocess.Popen([*words], env=self.home.environment, cwd=self.home.path, **{**QUIET, **options})
        self.processes.append(process)
        return process

    def start_keyring(self):
        """Unlocks the keyring, with a password that is not needed again."""
        keyring = self.start("gnome-keyring-daemon", "--foreground", "--components=secrets", "--unlock", stdin=subprocess.PIPE)
        keyring.stdin.write(b"correct horse")
        keyring.stdin.close()
        self.until(lambda: has_owner(self.home, "org.freedesktop.secrets"), "a keyring")

    def until(self, condition, what):
        end = time.monotonic() + PATIENCE
        while not condition():
            expect(time.monotonic() < end, f"no {what} within {PATIENCE} s")
            time.sleep(0.05)

    def records(self):
        """Returns the contents of the keyring, without the secrets."""
        listed = subprocess.run(
            ["gdbus", "call", "--session", "--dest", "org.freedesktop.secrets", "--object-path", "/org/freedesktop/secrets", "--method",
             "org.freedesktop.Secret.Service.SearchItems", "{}"],
            env=self.home.environment, capture_output=True, text=True, timeout=PATIENCE)
        expect(listed.returncode == 0, listed.stderr)
        return [word.strip("'[]()@ao,") for word in listed.stdout.split() if "/collection/" in word]

    def files_of_records(self):
        """Returns the records of file stores, anywhere in the home folder."""
        return [name for _, _, names in os.walk(self.home.path) for name in names if name.endswith(".credential")]

    def running(self):
        """Returns all processes that were started with this home folder, except this one."""
        return [pid for pid in self.home.processes() if pid != os.getpid()]

    def end(self):
        """Ends the processes that the proof and the bus have started; returns the commands of all others that still ran."""
        own = {process.pid for process in self.processes}
        if hasattr(self, "screen"):
            own |= {self.screen.server.pid, self.screen.manager.pid}
        service = ("at-spi", "dbus-daemon")
        left = [command_of(pid) for pid in self.running() if pid not in own and not any(word in command_of(pid) for word in service)]
        if hasattr(self, "screen"):
            self.screen.__exit__()
        for process in reversed(self.processes):
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
        end = time.monotonic() + 10
        while self.running() and time.monotonic() < end:
            for process in self.processes:
                process.poll()
            time.sleep(0.05)
        for pid in self.running():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        for process in self.processes:
            process.wait()
        self.home.__exit__()
        return left
