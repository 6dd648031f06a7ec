"""How often a token is renewed, counted by a server of its own: by many requests, many processes, killed ones, on broken stores.

AUTHHUB_PROOF_KILLS says how many processes are killed (60; 500 is the long version), AUTHHUB_PROOF_SEED repeats their order.
"""
import concurrent.futures
import contextlib
import fcntl
import json
import math
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from outside import AUTHHUB, PATIENCE, DevelopmentServer, Home, Report, expect, succeed
from rotating_server import RotatingServer
from sessions import Folder, Session, all_do, expect_all_good

KILLS = int(os.environ.get("AUTHHUB_PROOF_KILLS") or 60)
SEED = int(os.environ.get("AUTHHUB_PROOF_SEED") or random.randrange(1 << 32))
LIFETIME = 3600
ANYONE = 65534


def tell(text):
    print(text, file=sys.stderr, flush=True)


@contextlib.contextmanager
def setting(count=1, path=None, user=None, offsets=None, **server):
    """A server, and processes that share an account, signed in by the first."""
    folder = Folder(path)
    try:
        if user:
            os.chown(folder.path, user, user)
        with RotatingServer(**server) as judge, contextlib.ExitStack() as stack:
            sessions = [
                stack.enter_context(Session(judge, folder, user=user, clockOffset=offsets[index] if offsets else 0)) for index in range(count)
            ]
            outcome = sessions[0].do(signIn=True)
            expect(outcome["state"] == "signed in", f"the sign-in: {outcome}")
            expect_all_good(all_do(sessions, requests=1), 1)
            judge.answers.clear()
            yield judge, folder, sessions
    finally:
        if path is None:
            shutil.rmtree(folder.path, ignore_errors=True)


def expect_refreshes(judge, count):
    expect(not judge.reuses and not judge.refusals, f"the server refused {judge.refusals}")
    found = len(judge.refreshes())
    expect(found == count, f"{found} token requests to renew, not {count}")


# One process, many requests.

def thousand_at_expiry():
    with setting() as (judge, _, [session]):
        expect_all_good([session.do(requests=1000)], 1000)
        base = session.do(requests=1000)["seconds"]
        judge.end_access_tokens()
        outcome = session.do(advance=LIFETIME, requests=1000)
        expect_all_good([outcome], 1000)
        expect_refreshes(judge, 1)
        expect(judge.answers[401] == 0, f"{judge.answers[401]} requests went out with the old token")
        tell(f"1,000 at expiry: {outcome['seconds']:.3f} s; {base + judge.pause:.3f} s are 1,000 requests and the token endpoint's pause")


def thousand_ended_early():
    with setting() as (judge, _, [session]):
        expect_all_good([session.do(requests=1000)], 1000)
        base = session.do(requests=1000)["seconds"]
        judge.answers.clear()
        judge.end_access_tokens()
        outcome = session.do(requests=1000)
        expect_all_good([outcome], 1000)
        expect_refreshes(judge, 1)
        expect(judge.answers[401] >= 1, "nobody was refused: the proof would prove nothing")
        expect(judge.answers[200] == 1000, f"{judge.answers}")
        tell(
            f"1,000 after an early end, {judge.answers[401]} refused: {outcome['seconds']:.3f} s;"
            f" {2 * base + judge.pause:.3f} s are 2,000 requests and the token endpoint's pause")


# Many processes.

def sixteen_processes():
    with setting(count=16) as (judge, _, sessions):
        for expiry in range(20):
            judge.answers.clear()
            judge.end_access_tokens()
            by_clock = expiry % 2 == 0
            outcomes = all_do(sessions, requests=50, advance=LIFETIME if by_clock else 0)
            expect_all_good(outcomes, 50)
            expect_refreshes(judge, expiry + 1)
            if by_clock:
                expect(judge.answers[401] == 0, f"{judge.answers[401]} requests went out with a token that had ended")
            else:
                expect(judge.answers[401] >= 1, "nobody was refused: the proof would prove nothing")
            expect(judge.answers[200] == 800, f"{judge.answers}")


def real_lifetime():
    """A life of 2 s is renewed from 1.6 s on; the server ends it at 2 s by its own clock."""
    with setting(count=16, lifetime=2) as (judge, _, sessions):
        # On a machine with much else to do, a token has to live for longer than it takes to store and use it.
        slowest = max(outcome["seconds"] for _ in range(3) for outcome in all_do(sessions, requests=5, concurrency=2))
        lifetime = judge.lifetime = min(max(2, math.ceil(6 * slowest)), 20)
        judge.end_access_tokens()
        expect_all_good(all_do(sessions, requests=1), 1)
        judge.grants.clear()
        judge.answers.clear()
        judge.enforces_lifetime = True
        end, requests = time.monotonic() + 4.5 * lifetime, 0
        while time.monotonic() < end or len(judge.grants) < 4:
            expect_all_good(all_do(sessions, requests=5, concurrency=2), 5)
            requests += 80
        times = [grant.arrived for grant in judge.grants]
        gaps = [later - earlier for earlier, later in zip(times, times[1:])]
        expect(not judge.reuses and not judge.refusals, f"the server refused {judge.refusals}")
        expect(len(gaps) >= 3, f"only {len(gaps)} expiries: the proof would prove nothing")
        expect(min(gaps) >= 0.75 * lifetime, f"of {lifetime} s, renewed after {min(gaps):.2f} s")
        tell(f"{requests} requests over {len(gaps)} expiries by the clock, of {lifetime} s each, {judge.answers[401]} of them refused first")


# Killed processes.

class Kills:
    """Processes that are killed while they renew, and what became of what they renewed."""

    def __init__(self, judge, folder, sessions):
        self.judge, self.folder, self.sessions = judge, folder, list(sessions)
        self.random = random.Random(SEED)
        self.killed = {}
        self.lost, self.overtaken, self.signed_in_again, self.holders = [], 0, 0, 0
        # Seconds that the slowest took to renew, store and ask: more on a machine with much else to do.
        self.slowest = 0

    def round(self, stack):
        self.judge.end_access_tokens()
        reuses, refreshes = len(self.judge.reuses), len(self.judge.refreshes())
        for session in self.sessions:
            session.begin(requests=10)
        victim = self.choose(refreshes)
        self.kill(victim)
        outcomes = [session.end() for session in self.sessions if session is not victim]
        self.slowest = max([self.slowest, *(outcome["seconds"] for outcome in outcomes)])
        newcomer = stack.enter_context(Session(self.judge, self.folder))
        self.sessions[self.sessions.index(victim)] = newcomer
        found = newcomer.started()
        expect(found["state"] in ("signed in", "signed out"), f"the store does not open: {found}")
        if len(self.judge.reuses) > reuses:
            self.judge_loss(self.judge.reuses[reuses:])
            self.sign_in_again()
        else:
            expect_all_good(outcomes, 10)

    def choose(self, refreshes):
        """Someone, at some moment; or whoever is renewing, while the answer is on its way or is being stored."""
        if self.random.random() < 0.5:
            time.sleep(self.random.uniform(0, 0.12))
            return self.random.choice(self.sessions)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            is_late = len(self.judge.refreshes()) > refreshes
            holder = self.folder.lease_holder()
            for session in self.sessions:
                if session.number == holder:
                    self.holders += 1
                    time.sleep(self.random.uniform(0, self.judge.pause * 1.4))
                    return session
            if is_late:
                break
            time.sleep(0.001)
        return self.random.choice(self.sessions)

    def kill(self, session):
        expect(session.kill(), "a process had ended before it was killed")
        self.killed[session.number] = time.monotonic()

    def judge_loss(self, reuses):
        """A family may end for a kill alone: its last rotation was answered to the killed process, and was never stored; or the killed
        process's request, sent before, came to be looked at after that of the next process, which had seen the same token in the store."""
        for reuse in reuses:
            grant = self.judge.grants[reuse.spent_by - 1]
            sender = self.killed.get(reuse.process)
            if sender is not None and grant.process not in self.killed:
                expect(abs(reuse.at - sender) < 1 + self.slowest, f"a request of a process that was killed {reuse.at - sender:.3f} s before")
                self.overtaken += 1
                continue
            expect(reuse.spent_by == reuse.current, f"rotation {reuse.current} was stored, and a token of {reuse.spent_by} came back")
            killed = self.killed.get(grant.process)
            expect(killed is not None, f"the family ended by process {reuse.process}, and {grant.process}, which had renewed it, lives")
            expect(killed - grant.arrived < 1 + self.slowest, f"killed {killed - grant.arrived:.3f} s after its request: time enough to store")
            users = self.judge.users.get(grant.number, set()) - {grant.process}
            expect(not users, "others had used what that process renewed: it was stored, and lost afterwards")
            self.lost.append(killed - grant.arrived)
        expect(len(reuses) == 1, f"{len(reuses)} old refresh tokens in one round: a refusal was not taken for the end")

    def sign_in_again(self):
        """The refusal has signed everybody out; nobody is stuck."""
        outcomes = all_do(self.sessions, requests=1)
        for outcome in outcomes:
            expect(outcome["state"] == "signed out", f"after the end of the family: {outcome}")
        outcome = self.sessions[0].do(signIn=True)
        expect(outcome["state"] == "signed in", f"{outcome}")
        self.signed_in_again += 1
        expect_all_good(all_do(self.sessions, requests=1), 1)


def kills():
    tell(f"AUTHHUB_PROOF_SEED={SEED}")
    with setting(count=6) as (judge, folder, sessions), contextlib.ExitStack() as stack:
        run = Kills(judge, folder, sessions)
        for _ in range(KILLS):
            run.round(stack)
        expect_all_good(all_do(run.sessions, requests=10), 10)
        expect(len(judge.reuses) == len(run.lost) + run.overtaken == run.signed_in_again, f"{len(judge.reuses)} families ended, {run.lost}")
        expect(run.holders >= KILLS // 10, f"only {run.holders} were killed while they renewed: the proof would prove nothing")
        longest = max(run.lost, default=0)
        tell(
            f"{KILLS} kills, {run.holders} of them of whoever was renewing, {len(judge.refreshes())} refreshes: {len(run.lost)} answers were"
            f" lost with the killed process (at most {longest * 1000:.0f} ms after its request), {run.overtaken} requests of killed processes were"
            " overtaken by the next one's, and no family ended for another reason")


# Clocks.

def clock_ahead():
    with setting(count=2, offsets=[0, 3600]) as (judge, _, sessions):
        settled(judge, sessions, 2)


def clock_behind():
    with setting(count=2, offsets=[0, -3600]) as (judge, _, sessions):
        settled(judge, sessions, 2)


def settled(judge, sessions, limit):
    """However the clocks differ, all requests succeed, and renewing comes to an end after the token did."""
    counts = []
    for _ in range(3):
        for session in [*sessions, *sessions]:
            expect_all_good([session.do(requests=1)], 1)
        judge.end_access_tokens()
        before = len(judge.refreshes())
        for _ in range(5):
            for session in sessions:
                expect_all_good([session.do(requests=20)], 20)
        made = len(judge.refreshes()) - before
        expect(1 <= made, "no token request for the end of a token")
        expect(made <= limit, f"{made} token requests for one end of a token, more than {limit}")
        counts.append(made)
    expect(not judge.reuses and not judge.refusals, f"the server refused {judge.refusals}")
    tell(f"{counts} token requests for each end of a token, over 5 turns of both processes")


# Broken stores.

class FullDisk:
    """A store on a disk of its own, which something else fills."""

    code, says = "full", "No space is left"

    def __init__(self, path):
        self.filler = os.path.join(path, "filler")

    def spoil(self):
        with open(self.filler, "wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(4096))

    def mend(self):
        os.remove(self.filler)


class ReadOnlyFolder:
    code, says = "refused", "The system does not allow it"

    def __init__(self, credentials):
        self.credentials = credentials

    def spoil(self):
        os.chmod(self.credentials, 0o500)

    def mend(self):
        os.chmod(self.credentials, 0o700)


class ChangedRecords:
    """All records of a folder, changed and put back."""

    def __init__(self, credentials, change, says):
        self.credentials, self.change, self.says = credentials, change, says
        self.whole = {}

    def spoil(self):
        for name in os.listdir(self.credentials):
            if name.endswith(".credential"):
                path = os.path.join(self.credentials, name)
                with open(path, "rb") as file:
                    self.whole[path] = file.read()
                self.put(path, self.change(self.whole[path]))

    def mend(self):
        for path, content in self.whole.items():
            with open(path, "rb") as file:
                expect(file.read() == self.change(content), "a record was touched")
            self.put(path, content)

    @staticmethod
    def put(path, content):
        with open(path, "r+b") as file:
            file.truncate()
            file.write(content)


def flipped(record):
    return record[:-1] + bytes([record[-1] ^ 1])


def newer(record):
    return record[:4] + b"\xff" + record[5:]


def broken_before(path, fault, user=None):
    """Nobody spends the refresh token while no other could be stored, and nobody is signed out."""
    with setting(path=path, count=2, user=user) as (judge, folder, sessions):
        before = folder.bytes()
        judge.end_access_tokens()
        fault.spoil()
        for attempt in range(2):
            for outcome in all_do(sessions, requests=10, advance=LIFETIME if attempt == 0 else 0):
                expect(outcome["errors"] == {f"not authorized / the store failed / {fault.code}": 10}, f"{outcome}")
                expect(outcome["state"] == "signed in", f"{outcome}")
        expect_refreshes(judge, 0)
        expect(folder.bytes() == before, "the record has changed")
        fault.mend()
        expect_all_good(all_do(sessions, requests=10), 10)
        expect_refreshes(judge, 1)


def broken_meanwhile(path, fault, user=None):
    with setting(path=path, count=2, user=user) as (judge, folder, sessions):
        broken_after_rotation(judge, folder, sessions[0], fault)
        expect_all_good(all_do(sessions, requests=10, advance=LIFETIME), 10)


def broken_after_rotation(judge, folder, session, fault):
    """The store breaks between the rotation and the storing: the new token lives in the process, and is stored when that is possible."""
    before = folder.bytes()
    judge.end_access_tokens()
    judge.while_answering = fault.spoil
    for attempt in range(3):
        outcome = session.do(requests=10, advance=LIFETIME if attempt == 0 else 0)
        expect(outcome["errors"] == {f"not authorized / the store failed / {fault.code}": 10}, f"{outcome}")
        expect_refreshes(judge, 1)
        expect(folder.bytes() == before, "the record has changed")
    judge.while_answering = lambda: None
    fault.mend()
    expect_all_good([session.do(requests=10)], 10)
    expect_refreshes(judge, 1)
    expect(folder.bytes() != before, "the renewed token was not stored")


def damaged_record(change, code):
    """An error of its own, nothing sent, nothing changed; all is well when the record is put back."""
    with setting(count=2) as (judge, folder, sessions):
        whole = folder.bytes()
        damaged = change(whole)
        folder.put(damaged)
        error = f"the store failed / {code}"
        with Session(judge, folder, clockOffset=LIFETIME) as newcomer:
            found = newcomer.started()
            expect(found["state"] == "unknown" and found["errors"] == {error: 1}, f"{found}")
            for outcome in [newcomer.do(requests=10), *all_do(sessions, requests=10, advance=LIFETIME)]:
                expect(outcome["errors"].get(f"not authorized / {error}") == 10, f"{outcome}")
                expect(outcome.get("explanation", "").count("kept"), f"{outcome}")
            expect_refreshes(judge, 0)
            expect(folder.bytes() == damaged, "the record was touched")
            folder.put(whole)
            judge.end_access_tokens()
            expect_all_good(all_do([newcomer, *sessions], requests=10), 10)
            expect_refreshes(judge, 1)


@contextlib.contextmanager
def small_disk():
    """A file system of 256 KiB, or None where mounting is not allowed."""
    path = tempfile.mkdtemp(prefix="authhub-disk-")
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k,mode=700", "tmpfs", path], capture_output=True).returncode == 0
    try:
        yield path if mounted else None
    finally:
        if mounted:
            subprocess.run(["umount", path], check=True)
        os.rmdir(path)


@contextlib.contextmanager
def fresh_folder():
    path = tempfile.mkdtemp(prefix="authhub-folder-")
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def broken_stores(report):
    """Root may write into read-only folders; so that is someone else's."""
    user = ANYONE if os.geteuid() == 0 else None
    for moment, what, action in (
        ("before the token ends", "typed errors, no token request, nobody signed out, and well again when it is mended", broken_before),
        ("when the rotated token comes", "typed errors, the token is kept in the process, and stored when it is mended", broken_meanwhile),
    ):
        with small_disk() as path:
            if path:
                store = os.path.join(path, "store")
                os.mkdir(store, 0o700)
                report.check(f"the disk is full {moment}: {what}", lambda: action(store, FullDisk(path)))
            else:
                report.skip(f"the disk is full {moment}", "mounting a small file system is not allowed here")
        with fresh_folder() as path:
            fault = ReadOnlyFolder(Folder(path).credentials())
            report.check(f"the folder is read-only {moment}: {what}", lambda: action(path, fault, user))
    what = "a typed error, nothing sent, nothing changed, and well again when it is put back"
    report.check(f"a damaged record: {what}", lambda: damaged_record(flipped, "corrupt"))
    report.check(f"a record of a newer version: {what}", lambda: damaged_record(newer, "too new"))


def tool_on_broken_stores(report):
    """The same by the tool: exit code 9, in words, nothing lost, and well again when it is mended."""
    user = ANYONE if os.geteuid() == 0 else None
    prefix = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"] if user else []
    with small_disk() as disk, Home() as home:
        data = os.path.join(disk or home.path, "data")
        home.environment["XDG_DATA_HOME"] = data
        os.mkdir(data, 0o700)
        users = home.write("users.json", json.dumps([{"login": "octocat", "password": "proof"}]))
        with DevelopmentServer(home, "github", "--users", users) as server:
            secret, password = home.write("secret", server.client("confidential")["client_secret"]), home.write("password", "proof")
            if user:
                for path in (home.path, home.temporary, home.environment["XDG_RUNTIME_DIR"], data, disk, secret, password):
                    if path:
                        os.chown(path, user, user)
            succeed(home.run(
                "login", "github-app", "--web", server["base"], "--api", server["base"], "--client-id",
                server.client("confidential")["client_id"], "--client-secret-file", secret, "--allow-insecure-loopback", "--headless",
                "--user", "octocat", "--password-file", password, prefix=prefix))
            credentials = os.path.join(data, "authhub", "credentials")

            def check(fault):
                fault.spoil()
                for _ in range(2):
                    result = home.run("refresh", prefix=prefix)
                    expect(result.returncode == 9, f"exit code {result.returncode}: {result.stderr}")
                    expect(fault.says in result.stderr, result.stderr)
                fault.mend()
                for command in ("token", "refresh", "whoami"):
                    succeed(home.run(command, prefix=prefix))

            what = "the tool ends with 9 and says why, and goes on when it is mended"
            if disk:
                report.check(f"{what}: a full disk", lambda: check(FullDisk(disk)))
            else:
                report.skip(f"{what}: a full disk", "mounting a small file system is not allowed here")
            report.check(f"{what}: a read-only folder", lambda: check(ReadOnlyFolder(credentials)))
            report.check(f"{what}: damaged records", lambda: check(ChangedRecords(credentials, flipped, "damaged")))
            report.check(f"{what}: records of a newer version", lambda: check(ChangedRecords(credentials, newer, "newer")))


# The tool beside a process that holds a lock and does nothing.

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
    expect(f"Process {holder} " in error, error)
    expect(time.monotonic() - seconds < limit, "too late")


def stopped_while_renewing():
    """Nobody knows whether it will go on: its refresh token must not be sent a second time."""
    with RotatingServer() as judge, signed_in(judge) as (home, _):
        # Longer than it takes to stop it.
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
            # Each waits for 45 s; beside 29 that start, and on a machine with much else to do, it begins late.
            limit = min(70 + 10 * (time.monotonic() - begun), PATIENCE)
            for other in others:
                expect_named(other, begun, stopped.pid, limit)
            expect(len(judge.refreshes()) == 1 and not judge.reuses, "the refresh token was sent again")
        finally:
            stopped.kill()
            stopped.communicate()


def kept_from_writing():
    """Whoever keeps a record from being written: an end, an exit code, and nothing lost. Each command waits for long, so they wait together."""
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


def main():
    report = Report()
    began = time.monotonic()

    def check(name, action):
        start = time.monotonic()
        report.check(name, action)
        tell(f"  {action.__name__}: {time.monotonic() - start:.1f} s")

    # These wait for most of their time, and do so beside all others.
    waiting = [threading.Thread(target=check, args=words) for words in (
        ("30 processes beside one that is stopped while it renews: each ends within its time, with 75, and names it", stopped_while_renewing),
        ("records that another process keeps from being written: 75, and nothing is spent or lost", kept_from_writing))]
    for thread in waiting:
        thread.start()
    check("1,000 requests at once when the token ends: 1 token request, no failure", thousand_at_expiry)
    check("1,000 requests at once after the server ended the token early: 1 token request, no failure", thousand_ended_early)
    check("16 processes of 50 requests each over 20 expiries: 20 token requests, no failure, nobody signed out", sixteen_processes)
    check("16 processes over real lifetimes of 2 s: one token request each, no failure", real_lifetime)
    check(f"{KILLS} processes killed while tokens are renewed: only answers lost with their process cost a sign-in", kills)
    check("one of two clocks is an hour ahead: no failure, and renewing comes to an end", clock_ahead)
    check("one of two clocks is an hour behind: no failure, and renewing comes to an end", clock_behind)
    broken_stores(report)
    tool_on_broken_stores(report)
    for thread in waiting:
        thread.join()
    tell(f"{time.monotonic() - began:.1f} s in all")
    report.end()


main()
