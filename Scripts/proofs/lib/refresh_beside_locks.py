"""The tool next to a process that holds a lock and does nothing."""
import concurrent.futures
import contextlib
import fcntl
import os
import signal
import subprocess
import time

from outside import AUTHHUB, PATIENCE, Home, expect, succeed
from rotating_server import RotatingServer


@contextlib.contextmanager
def signed_in(judge):
    with Home() as home:
        secret = home.write("secret", "proof")
        succeed(home.run(
            "login", "github-app", "--web", judge.base, "--api", judge.base, "--authorization-endpoint", f"{judge.base}/authorize",
            "--token-endpoint", f"{judge.base}/token", "--client-id", "proof", "--client-secret-file", secret, "--allow-insecure-loopback",
            "--browser", "curl --silent --location"))
        yield home, os.path.join(home.path, ".local/share/authhub/credentials/locks")


def expect_named(process, seconds, holder, limit):
    _, error = process.communicate(timeout=limit)
    expect(process.returncode == 75, f"exit code {process.returncode}: {error}")
    expect(f"process {holder} " in error, error)
    expect(time.monotonic() - seconds < limit, "too late")


def stopped_while_refreshing():
    """It is unknown whether the process will continue: its refresh token must not be sent a second time."""
    with RotatingServer() as judge, signed_in(judge) as (home, _):
        # Longer than it takes to suspend it.
        judge.pause = PATIENCE
        start = lambda *words: subprocess.Popen(
            [AUTHHUB, *words], env=home.environment, cwd=home.path, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True)
        stopped = start("refresh")
        while not judge.refreshes():
            expect(stopped.poll() is None, "the refresh ended")
            time.sleep(0.01)
        os.kill(stopped.pid, signal.SIGSTOP)
        try:
            begun = time.monotonic()
            others = [start("refresh") for _ in range(30)]
            succeed(home.run("token"))
            succeed(home.run("status"))
            # Each waits for 45 s; next to 29 starting ones, and on a busy machine, it starts late.
            limit = min(70 + 10 * (time.monotonic() - begun), PATIENCE)
            for other in others:
                expect_named(other, begun, stopped.pid, limit)
            expect(len(judge.refreshes()) == 1 and not judge.reuses, "the refresh token was sent again")
        finally:
            stopped.kill()
            stopped.communicate()


def kept_from_writing():
    """With any process that blocks writing a record: an end, an exit code, and no loss. All commands wait for long, so they wait
    concurrently."""
    def judge_command(command):
        with RotatingServer() as judge, signed_in(judge) as (home, locks), contextlib.ExitStack() as stack:
            for name in os.listdir(locks):
                if name.endswith(".write"):
                    file = stack.enter_context(open(os.path.join(locks, name), "r+"))
                    fcntl.flock(file, fcntl.LOCK_EX)
            result = home.run(command, timeout=2 * PATIENCE)
            expect(result.returncode == 75, f"{command}: exit code {result.returncode}: {result.stderr}")
            stack.close()
            expect(not judge.refreshes(), "the refresh token was spent, and no other could be stored")
            succeed(home.run("refresh"))

    with concurrent.futures.ThreadPoolExecutor() as pool:
        for _ in pool.map(judge_command, ("refresh", "logout")):
            pass
