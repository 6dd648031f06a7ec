"""The common part of the proofs: the report, the tool under test, and the development server it runs."""
import json
import os
import pathlib
import random
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback

from patience import PATIENCE

LIBRARY = pathlib.Path(__file__).resolve().parent
ROOT = LIBRARY.parents[2]
AUTHHUB = os.environ.get("AUTHHUB") or str(ROOT / ".build/debug/authhub")
# The release version of the tool is built without PostgreSQL.
AUTHHUB_WITH_POSTGRESQL = os.environ.get("AUTHHUB_WITH_POSTGRESQL") or str(ROOT / ".build/debug/authhub")
ARTIFACTS = pathlib.Path(os.environ.get("ARTIFACTS") or os.environ.get("AUTHHUB_ARTIFACTS") or ROOT / ".build/artifacts-of-tests")


class Report:
    """Prints lines "ok NAME", "FAILED NAME: why", "skipped NAME: why" to stdout, and determines the exit code. Thread-safe."""

    def __init__(self):
        self.failures, self.lock = 0, threading.Lock()

    def check(self, name, action):
        """Runs an action that raises if the name is not true; returns its result, or None."""
        try:
            value = action()
        except Exception as error:  # a failing check is a result
            self.fail(name, f"{type(error).__name__}: {error}")
            traceback.print_exc(limit=-2, file=sys.stderr)
            return None
        self.ok(name)
        return value

    def ok(self, name):
        self.tell(f"ok {name}")

    def fail(self, name, why):
        self.failures += 1
        why = " ".join(why.split())
        self.tell(f"FAILED {name}: {why[:600]}")

    def skip(self, name, why):
        self.tell(f"skipped {name}: {why}")

    def tell(self, line):
        with self.lock:
            print(line, flush=True)

    def end(self):
        sys.exit(1 if self.failures else 0)


def expect(condition, why):
    if not condition:
        raise AssertionError(why)


class Home:
    """A separate home folder for one run of the tool, without the user's environment."""

    def __init__(self):
        self.path = tempfile.mkdtemp(prefix="authhub-proof-")
        self.temporary = os.path.join(self.path, "tmp")
        runtime = os.path.join(self.path, "run")
        os.mkdir(self.temporary)
        os.mkdir(runtime, 0o700)
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": self.path, "TMPDIR": self.temporary, "XDG_RUNTIME_DIR": runtime, "LANG": "C.UTF-8",
        }

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)

    def write(self, name, text):
        path = os.path.join(self.path, name)
        with open(path, "w") as file:
            file.write(text)
        os.chmod(path, 0o600)
        return path

    def processes(self):
        """Returns all processes that inherited this home folder, whatever their parents are now."""
        mark, found = f"HOME={self.path}".encode(), []
        for entry in os.listdir("/proc"):
            try:
                if entry.isdigit() and mark in pathlib.Path("/proc", entry, "environ").read_bytes().split(b"\0"):
                    found.append(int(entry))
            except OSError:
                continue
        return found

    def user(self, **told):
        """The environment for a browser command of this folder, and its parameters."""
        return dict(self.environment, PROOF_USER=self.write("user.json", json.dumps(told)))

    def run(self, *arguments, environment=None, timeout=PATIENCE, prefix=(), tool=AUTHHUB):
        """Runs the tool to its end; a run that hangs is killed and reported."""
        return subprocess.run(
            [*prefix, tool, *arguments], env=environment or self.environment, cwd=self.path, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=timeout)


def succeed(result):
    expect(result.returncode == 0, f"exit code {result.returncode}: {result.stderr.strip()[-500:]}")
    return result


class DevelopmentServer:
    """`authhub serve`, from its one JSON line to its end."""

    def __init__(self, home, persona, *arguments, prefix=(), port=0):
        self.home = home
        self.errors = open(os.path.join(home.path, f"serve-{persona}.log"), "w+")
        self.process = subprocess.Popen(
            [*prefix, AUTHHUB, "serve", "--persona", persona, "--port", str(port), "-o", "json", *arguments], env=home.environment,
            cwd=home.path, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.errors, text=True, start_new_session=True)
        line = self.first_line(PATIENCE)
        try:
            self.description = json.loads(line)
        except ValueError:
            self.stop()
            self.errors.seek(0)
            raise RuntimeError(f"authhub serve did not print its JSON line but {line[:200]!r}: {self.errors.read()[-500:]}") from None

    def first_line(self, seconds):
        ready, _, _ = select.select([self.process.stdout], [], [], seconds)
        return self.process.stdout.readline() if ready else ""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
        self.process.stdout.close()
        self.errors.close()

    def stop(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def __getitem__(self, name):
        return self.description[name]

    def client(self, role):
        return self.description["clients"][role]


def free_ports(count):
    """Returns ports without a listener, for programs that listen a moment later.

    They are below those that the system assigns to connections and to programs that request any port, so it assigns none of these in
    between.
    """
    range_of_system = pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range")
    first = int(range_of_system.read_text().split()[0]) if range_of_system.exists() else 32768
    # Above those that browsers refuse to visit.
    candidates = range(11_000, first) if first > 12_000 else range(20_000, 32_768)
    found = []
    while len(found) < count:
        port = random.choice(candidates)
        if port not in found and is_free(port):
            found.append(port)
    return found


def is_free(port):
    """Returns whether a program can listen there. Closed connections do not count."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
            probe.listen()
        except OSError:
            return False
    return True


def wait_for_file(path, seconds):
    end = time.monotonic() + seconds
    while not os.path.exists(path):
        expect(time.monotonic() < end, f"{os.path.basename(path)} did not appear within {seconds} s")
        time.sleep(0.05)
    return path
