"""An `authhub login` with a separate home folder, observed from outside: how it ends, what it stores, and what it leaves behind."""
import json
import os
import pathlib
import re
import signal
import stat
import subprocess
import time

from outside import AUTHHUB, PATIENCE, Home, expect, succeed


# Firefox's reports about its own start, for which there is no setting, and the desktop's settings.
NOT_OURS = ("Crash Reports/", "run/dconf/")


class Place:
    """A user's home folder: the credential store, and everything that must be empty again afterwards."""

    def __init__(self, display=None, **environment):
        self.home = Home()
        self.store = os.path.join(self.home.path, "store")
        self.home.environment.update(environment, AUTHHUB_STORE=self.store)
        if display:
            self.home.environment["DISPLAY"] = display

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for pid in self.processes():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.home.__exit__()

    def run(self, *arguments, **options):
        return self.home.run(*arguments, **options)

    def processes(self):
        return self.home.processes()

    def files(self, *kept):
        """Returns the files in the home folder other than the store and those that the proof itself has created."""
        found = []
        for folder, folders, names in os.walk(self.home.path):
            inside = os.path.relpath(folder, self.home.path)
            folders[:] = [name for name in folders if os.path.normpath(os.path.join(inside, name)) not in ("store", *kept)]
            paths = [os.path.normpath(os.path.join(inside, name)) for name in names + [n for n in folders if is_link(folder, n)]]
            found += [path for path in paths if path not in kept]
            found = [path for path in found if not any(folder in path for folder in NOT_OURS)]
            # An empty folder of a program that ran is harmless; a profile or a folder with a socket is not.
            found += [os.path.join(inside, name) for name in folders if "chromium" in name.lower() or name.startswith("authhub-browser-")]
        return found

    def expect_nothing_left(self, *kept, seconds=PATIENCE):
        """Waits a moment for processes that are just ending."""
        end = time.monotonic() + seconds
        while (self.processes() or self.files(*kept)) and time.monotonic() < end:
            time.sleep(0.05)
        commands = [command_of(pid) for pid in self.processes()]
        expect(not commands, f"left running: {commands}")
        expect(not self.files(*kept), f"left behind: {self.files(*kept)[:8]}")

    def records(self):
        folder = pathlib.Path(self.store, "credentials")
        return sorted(folder.glob("*.credential")) if folder.exists() else []

    def expect_signed_in(self, *account):
        signed_in = json.loads(succeed(self.run("whoami", "-o", "json", *account)).stdout)
        expect(signed_in.get("login") or signed_in.get("sub"), f"whoami: {signed_in}")

    def expect_signed_out(self):
        expect(not self.records(), f"{len(self.records())} records in the store")


def is_link(folder, name):
    return stat.S_ISLNK(os.lstat(os.path.join(folder, name)).st_mode)


def command_of(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")[:120]
    except OSError:
        return "(ended)"


class SignIn:
    """A running `authhub login`."""

    count = 0

    def __init__(self, place, server, *arguments, client="public", scope="openid,profile", **environment):
        SignIn.count += 1
        self.place = place
        # Next to the home folder, so that it does not count as left behind.
        self.log = open(f"{place.home.path}.{SignIn.count}.log", "w+")
        os.unlink(self.log.name)
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            [AUTHHUB, "login", server["issuer"], "--client-id", server.client(client)["client_id"], "--scope", scope,
             "--allow-insecure-loopback", *arguments],
            env=dict(place.home.environment, **environment), cwd=place.home.path, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=self.log)

    def alive(self):
        return self.process.poll() is None

    def said(self):
        return os.pread(self.log.fileno(), 1 << 20, 0).decode("utf-8", "replace")

    def wait_for_words(self, pattern, seconds=PATIENCE):
        end = time.monotonic() + seconds
        while not (found := re.search(pattern, self.said())):
            expect(self.alive() and time.monotonic() < end, f"it did not say {pattern!r} but {self.said()[-400:]!r}")
            time.sleep(0.02)
        return found

    def url(self):
        return self.wait_for_words(r"(?m)^\s*(http\S+)\s").group(1)

    def ends(self, status, *words, seconds=PATIENCE):
        """Waits for its end; returns when that was."""
        try:
            found = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"it did not end within {seconds} s: {self.said()[-400:]!r}") from None
        moment = time.monotonic()
        said = self.said_at_end = self.said()
        self.log.close()
        expect(found == status, f"exit status {found}, not {status}: {said[-400:]!r}")
        for word in words:
            expect(word in said, f"{word!r} is not in {said[-400:]!r}")
        return moment

    def browser(self):
        """Returns the main process of the browser it started."""
        for task in os.listdir(f"/proc/{self.process.pid}/task"):
            children = pathlib.Path(f"/proc/{self.process.pid}/task/{task}/children").read_text().split()
            for child in children:
                if "authhub" not in command_of(child).split(" ")[0]:
                    return int(child)
        raise AssertionError("it has started no browser")
