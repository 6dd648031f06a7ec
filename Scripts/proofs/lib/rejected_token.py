"""Stops `authhub helper git` (SIGSTOP) when one of its threads opens the account's record for the first time, the second time and so on, and
when it opens the file of the lease; refreshes the token that it reports as rejected in another process, and lets it continue: the token is
refreshed once.
"""
import contextlib
import fcntl
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

from outside import AUTHHUB, PATIENCE, DevelopmentServer, Home, Report, expect, succeed

LOOPBACK = "--allow-insecure-loopback"


def wait_until(condition, why):
    end = time.monotonic() + PATIENCE
    while not condition():
        expect(time.monotonic() < end, why)
        time.sleep(0.01)


class Story:
    """An account whose access token git reports as rejected."""

    def __init__(self, home):
        self.home = home
        self.store = os.path.join(home.path, "store")
        home.environment["AUTHHUB_STORE"] = self.store
        self.server = DevelopmentServer(home, "oidc")
        user = self.server["users"][0]
        home.environment["AUTHHUB_HEADLESS_PASSWORD"] = user["password"]
        succeed(home.run(
            "login", self.server["issuer"], "--client-id", "native-app", LOOPBACK, "--headless", "--user", user["username"]))
        before = self.files()
        succeed(home.run("refresh"))
        changed = [path for path, text in self.files().items() if before.get(path) != text and not path.endswith((".lease", ".write"))]
        expect(len(changed) == 1, f"a refresh changes {changed}")
        self.record = changed[0]
        record = pathlib.Path(self.record)
        self.lease = str(record.parent / "locks" / (record.stem + ".lease"))

    def files(self):
        return {str(path): path.read_bytes() for path in pathlib.Path(self.store).rglob("*") if path.is_file()}

    def token(self):
        return succeed(self.home.run("token")).stdout.strip()

    def is_leased(self):
        """Whether a process holds the account's lease, and others have to wait."""
        for path in pathlib.Path(self.store).rglob("*.lease"):
            with open(path, "rb") as file:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError:
                    return True
        return False

    def stopped_at(self, number, file):
        """Returns whether one thread of the helper opened the file `number` times; and, if one did, whether the helper then held the lease."""
        rejected = self.token()
        request = f"protocol=http\nhost={self.server['issuer'].removeprefix('http://')}\nusername=x\npassword={rejected}\n\n"
        trace = os.path.join(self.home.path, "trace")
        pathlib.Path(trace).unlink(missing_ok=True)
        helper = subprocess.Popen(
            ["strace", "-f", "-o", trace, "-P", file, "-e", f"inject=openat:signal=SIGSTOP:when={number}",
             AUTHHUB, "helper", "git", "erase"],
            env=self.home.environment, cwd=self.home.path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            start_new_session=True)
        helper.stdin.write(request)
        helper.stdin.close()
        tool = []

        def is_stopped():
            if helper.poll() is not None:
                return True
            children = pathlib.Path("/proc", str(helper.pid), "task", str(helper.pid), "children").read_text().split()
            text = pathlib.Path(trace).read_text() if os.path.exists(trace) else ""
            tool[:] = [int(child) for child in children if re.search(rf"^{child} +--- stopped by SIGSTOP", text, re.M)]
            return bool(tool)

        try:
            wait_until(is_stopped, "the helper neither stopped nor ended")
            if helper.poll() is not None:
                expect(helper.returncode == 0, f"the helper ended with {helper.returncode}: {helper.stderr.read()[-300:]}")
                return False, False
            if self.is_leased():
                return True, True
            succeed(self.home.run("refresh"))
            new = self.token()
            expect(new != rejected, "the other process has not refreshed the token")
        finally:
            # strace counts for each thread, so another thread may stop the helper again.
            def has_ended():
                for process in tool:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(process, signal.SIGCONT)
                return helper.poll() is not None

            try:
                wait_until(has_ended, "the helper did not continue")
            except AssertionError:
                os.killpg(helper.pid, signal.SIGKILL)
                raise
        expect(helper.returncode == 0, f"the helper ended with {helper.returncode}: {helper.stderr.read()[-300:]}")
        expect(self.token() == new, f"stopped when it opened {file} ({number}), the helper refreshed the token again")
        return True, False


def main():
    report = Report()
    if not shutil.which("strace"):
        report.skip("a stopped git helper", "there is no strace")
        report.end()

    def stopped():
        with Home() as home:
            story = Story(home)
            try:
                stops = 0
                while True:
                    expect(stops < 30, "the helper reads the record again and again")
                    was_stopped, holds_lease = story.stopped_at(stops + 1, story.record)
                    if not was_stopped or holds_lease:
                        break
                    stops += 1
                expect(stops >= 1, "the helper was never stopped at a read of the record before it held the lease")
                was_stopped, holds_lease = story.stopped_at(1, story.lease)
                expect(was_stopped and not holds_lease, "the helper was not stopped before it held the lease")
            finally:
                story.server.__exit__()
    report.check("a git helper that is stopped between its steps does not refresh a token that another process has refreshed", stopped)
    report.end()


main()
