"""Processes that share one account: each is a program with one session, which executes commands line by line."""
import json
import os
import select
import signal
import subprocess
import tempfile

from outside import PATIENCE, expect


class Folder:
    """The folder in which the processes of one proof keep their store."""

    def __init__(self, path=None):
        self.path = path or tempfile.mkdtemp(prefix="authhub-sessions-")

    def credentials(self):
        return os.path.join(self.path, "credentials")

    def record(self):
        """Returns the path of the only record."""
        found = [name for name in os.listdir(self.credentials()) if name.endswith(".credential")]
        expect(len(found) == 1, f"{len(found)} records")
        return os.path.join(self.credentials(), found[0])

    def bytes(self):
        with open(self.record(), "rb") as file:
            return file.read()

    def put(self, content):
        with open(self.record(), "r+b") as file:
            file.truncate()
            file.write(content)

    def lease_holder(self):
        """Returns the process that has signed a lease, that of refreshes or that of sign-ins, or None."""
        locks = os.path.join(self.credentials(), "locks")
        for name in os.listdir(locks):
            if name.endswith(".lease"):
                with open(os.path.join(locks, name)) as file:
                    holder = int(file.readline().strip() or 0)
                    if holder:
                        return holder
        return None


class Session:
    """A process."""

    def __init__(self, server, folder, user=None, **setup):
        prefix = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"] if user else []
        self.process = subprocess.Popen(
            [*prefix, os.environ["PROOF_DRIVER"], "session", json.dumps(dict(setup, server=server.base, folder=folder.path))],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.first = None

    @property
    def number(self):
        return self.process.pid

    def begin(self, **order):
        """Sends a command without waiting for its result."""
        self.started()
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()

    def started(self, seconds=PATIENCE):
        """Returns the first line: the session's state from the store."""
        if self.first is None:
            self.first = self.line(seconds)
        return self.first

    def end(self, seconds=PATIENCE):
        return self.line(seconds)

    def do(self, **order):
        self.begin(**order)
        return self.end()

    def line(self, seconds):
        ready, _, _ = select.select([self.process.stdout], [], [], seconds)
        line = self.process.stdout.readline() if ready else ""
        expect(line, f"a process said nothing within {seconds} s (exit code {self.process.poll()})")
        return json.loads(line)

    def kill(self):
        """Returns whether the process was alive until now."""
        self.process.send_signal(signal.SIGKILL)
        code = self.process.wait(30)
        self.close()
        return code == -signal.SIGKILL

    def close(self):
        self.process.stdout.close()
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.stdin.close()
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        if not self.process.stdout.closed:
            self.process.stdout.close()


def all_do(sessions, **order):
    """Sends the same command to all concurrently; returns the result of each."""
    for session in sessions:
        session.started()
    for session in sessions:
        session.begin(**order)
    return [session.end() for session in sessions]


def expect_all_good(outcomes, requests):
    """Every request of every process got a response with status 200, and all are signed in."""
    for outcome in outcomes:
        expect(outcome["statuses"] == {"200": requests} and not outcome["errors"], f"{outcome}")
        expect(outcome["state"] == "signed in", f"{outcome}")
