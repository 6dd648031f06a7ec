"""A fleet: processes in several homes that share 200 accounts in one store, and are continuously killed and restarted.

The server's own journal is the evidence. AUTHHUB_FLEET_SECONDS is the minimum duration of each run (12). AUTHHUB_FLEET_GRACE is the number
of seconds for which the server accepts a used token again if its response was lost (120; 0 for never: then each lost response costs a
sign-in). AUTHHUB_PROOF_SEED repeats the random choices, except for the system's timing.
"""
import contextlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

from fleet_database import Database
from fleet_server import FleetServer
from fleet_verdict import REACH_OF_OUTAGE, Verdict
from outside import PATIENCE, Home, Report, expect

SECONDS = float(os.environ.get("AUTHHUB_FLEET_SECONDS") or 12)
GRACE = float(os.environ.get("AUTHHUB_FLEET_GRACE") or 120)
SEED = int(os.environ.get("AUTHHUB_PROOF_SEED") or random.randrange(1 << 32))
RATE = float(os.environ.get("AUTHHUB_FLEET_RATE") or 12)
STORES = (os.environ.get("AUTHHUB_FLEET_STORES") or "postgresql folder").split()
PROCESSES, HOMES, ACCOUNTS, LIFETIME = 8, 4, 200, 5
# With fewer, a run would prove nothing, however long a busy machine takes for them.
REFRESHES = 2 * ACCOUNTS
# The remaining time of a killed process's lease, by store: in a folder the system frees it.
LEASE = {True: 10, False: 0}
DRIVER = os.environ.get("PROOF_DRIVER")


def tell(text):
    print(text, file=sys.stderr, flush=True)


class Member:
    """A member of the fleet: a home, and the process that currently runs in it."""

    def __init__(self, home, setup, journal):
        self.home, self.setup, self.journal = home, setup, journal
        self.process = None

    def start(self):
        with open(self.journal, "ab") as output:
            self.process = subprocess.Popen(
                [DRIVER, "fleet"], env=self.home.environment, cwd=self.home.path, stdin=subprocess.PIPE, stdout=output, stderr=subprocess.DEVNULL)
        self.process.stdin.write(json.dumps(self.setup).encode() + b"\n")
        self.process.stdin.flush()

    def end(self, seconds=PATIENCE):
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None


class Fleet:
    """A run."""

    def __init__(self, judge, members, database, chance):
        self.judge, self.members, self.database, self.random = judge, members, database, chance
        self.cuts, self.outages, self.codes = 0, [], []

    def run(self):
        for member in self.members:
            member.start()
        # Debug builds on a busy machine are slow to start; counting starts with the first requests.
        while self.judge.answers[200] < ACCOUNTS * 2:
            time.sleep(0.05)
        begin = time.monotonic()
        for _ in range(3):
            self.lose_answer()
        # The outage must not affect what happens to those accounts.
        outage = max(begin + SECONDS / 2, time.monotonic() + REACH_OF_OUTAGE + 1)
        is_cut_off = self.database is None
        next_cut = begin + 2
        limit = begin + SECONDS + PATIENCE
        while time.monotonic() < begin + SECONDS or not is_cut_off or len(self.judge.grants_of_refreshes()) < REFRESHES:
            expect(time.monotonic() < limit, f"{len(self.judge.grants_of_refreshes())} refreshes within {SECONDS + PATIENCE:.0f} s")
            self.kill_one()
            if not is_cut_off and time.monotonic() > outage:
                is_cut_off = True
                self.fail_database()
            if self.database and time.monotonic() > next_cut:
                self.database.cut_connection()
                self.cuts += 1
                next_cut = time.monotonic() + self.random.uniform(0.5, 3)
        self.judge.wants_victim = False
        # The leases of processes killed at the end expire within ten seconds in PostgreSQL; then all requests succeed again.
        self.restart_until(time.monotonic() + (12 if self.database else 2))
        self.restart_while(self.has_stuck_accounts, "accounts whose holder was killed go on")
        self.codes = [member.end() for member in self.members]

    def lose_answer(self):
        """Kills the process of the next refresh before the response is sent: its lease is held, and no one has the issued tokens."""
        self.judge.wants_loss = True
        self.restart_while(lambda: self.judge.wants_loss, "a process refreshes")

    def has_stuck_accounts(self):
        return GRACE and any(family.grants[-1] is lost and not family.is_ended for family, lost in self.judge.losses)

    def kill_one(self):
        """Kills a random process at a random time, or that of the next refresh, while the response is in transit or is being stored."""
        pause = self.random.uniform(0.3, 2.2)
        if self.random.random() < 0.5:
            self.judge.wants_victim = True
        else:
            self.judge.kill(self.random.choice([member.process.pid for member in self.members if member.process.poll() is None]))
        self.restart_until(time.monotonic() + pause)

    def restart_until(self, end):
        self.restart_while(lambda: time.monotonic() < end)

    def restart_while(self, condition, awaited=None):
        limit = time.monotonic() + PATIENCE
        while condition():
            expect(not awaited or time.monotonic() < limit, f"not within {PATIENCE} s: {awaited}")
            for member in self.members:
                if member.process.poll() is not None:
                    member.start()
            time.sleep(0.02)

    def fail_database(self):
        begin = time.monotonic()
        self.database.kill()
        self.restart_until(time.monotonic() + 1)
        self.database.start()
        # The database is back when the fleet uses it for refreshes again, which takes time on a busy machine.
        before = len(self.judge.grants_of_refreshes())
        self.restart_while(lambda: len(self.judge.grants_of_refreshes()) < before + ACCOUNTS / 2, "the fleet refreshes after the outage")
        self.outages.append((begin, time.monotonic()))

    def verdict(self):
        verdict = Verdict(self.judge, [member.journal for member in self.members], self.outages)
        rows = [
            ("processes, homes, accounts", f"{PROCESSES}, {HOMES}, {ACCOUNTS}"),
            ("seconds", f"{SECONDS:.0f}"),
            ("connections cut; database killed", f"{self.cuts}; {len(self.outages)}" if self.database else "-"),
        ]
        for name, value in rows + verdict.rows():
            tell(f"  {name:48} {value}")
        for line in verdict.errors_said[:5]:
            tell(f"  {line}")
        return verdict


@contextlib.contextmanager
def fleet(database):
    chance = random.Random(SEED)
    with contextlib.ExitStack() as stack:
        judge = stack.enter_context(FleetServer(GRACE, chance, lifetime=LIFETIME))
        homes = [stack.enter_context(Home()) for _ in range(HOMES)]
        setup = {"server": judge.base, "accounts": ACCOUNTS}
        if database:
            key = homes[0].write("key", "")
            with open(key, "wb") as file:
                file.write(chance.randbytes(32))
            setup |= {"connection": database.connection, "key": key}
        else:
            shared = tempfile.mkdtemp(prefix="authhub-fleet-store-")
            stack.callback(shutil.rmtree, shared, ignore_errors=True)
            setup["folder"] = shared
        first = Member(homes[0], setup, os.path.join(homes[0].path, "first"))
        begin = time.monotonic()
        # Signs in to all accounts, and ends.
        first.start()
        expect(first.process.wait(PATIENCE) == 0, "the fleet's accounts could not be signed in")
        seconds = time.monotonic() - begin
        tell(f"  {len(judge.families)} accounts signed in within {seconds:.1f} s")
        # If that takes long, so does storing a token, which must stay valid until it can be used.
        judge.lifetime = min(max(LIFETIME, seconds), 3 * LIFETIME)
        for family in judge.families:
            # A part of their tokens' lifetime is over.
            family.is_used = True
        judge.answers.clear()
        journals = [os.path.join(homes[index % HOMES].path, f"journal-{index}") for index in range(PROCESSES)]
        members = [Member(homes[index % HOMES], dict(setup, rate=RATE), journals[index]) for index in range(PROCESSES)]
        stack.callback(lambda: [member.process.kill() for member in members if member.process and member.process.poll() is None])
        yield Fleet(judge, members, database, chance)


def prove(report, name, database):
    tell(f"{name}: AUTHHUB_PROOF_SEED={SEED}")
    found = {}

    def run():
        with fleet(database) as run:
            run.run()
            found["verdict"] = run.verdict()
            expect(run.codes == [0] * PROCESSES, f"exit codes {run.codes}")

    def verdict():
        expect("verdict" in found, "the run did not come to its end")
        return found["verdict"]

    def refreshes():
        it = verdict()
        expect(not it.odd, "; ".join(it.odd[:5]))
        expect(it.refreshes == it.after_end + len(it.lost),
               f"{it.refreshes} refreshes, {it.after_end} ends of tokens, {len(it.lost)} lost answers")
        expect(it.after_end > ACCOUNTS, f"only {it.after_end} ends of tokens: the proof would prove nothing")

    def no_user_lost():
        it = verdict()
        expect(all(end is not None for end in it.ended), f"{len(it.ended)} families ended")
        expect(len(it.signed_out) <= len(it.ended), f"{len(it.signed_out)} accounts are signed out, {sorted(it.signed_out)[:5]}")
        if GRACE:
            expect(not it.ended and not it.signed_out, f"{len(it.ended)} families ended, {len(it.signed_out)} accounts are signed out")
            expect(it.lost, "no answer died with its process: the proof would prove nothing")

    def no_failure():
        it = verdict()
        left = {name: count for name, count in it.errors.items() if not (it.ended and "sign_in_needed" in name)}
        expect(not left, f"requests failed: {left}")

    def going_on():
        it = verdict()
        waits = it.waits[False]
        expect(len(waits) >= 3, f"{len(waits)} such accounts: the proof would prove nothing")
        # An account is refreshed when it is used, and when the machine gets to it: the other accounts show how long that takes.
        limit = LEASE[database is not None] + 3 * it.delay + 3 * it.slowness
        expect(max(waits) < limit, f"an account whose holder was killed was refreshed after {max(waits):.1f} s only, more than {limit:.1f}")

    report.check(f"{name}: a fleet of {PROCESSES} processes with {ACCOUNTS} accounts runs while processes are killed", run)
    report.check(f"{name}: each refresh follows the expiry of a token, or a response that was lost with its process", refreshes)
    report.check(f"{name}: no grant was revoked for another reason, and no account is signed out", no_user_lost)
    but = ", except while the database was down and restarted" if database else ""
    report.check(f"{name}: no request failed{but}", no_failure)
    going_on_name = f"{name}: accounts whose holder was killed go on when its lease has ended"
    if GRACE:
        report.check(going_on_name, going_on)
    else:
        report.skip(going_on_name, "AUTHHUB_FLEET_GRACE=0: they go on by a sign-in")


def main():
    report = Report()
    absence = Database.absence()
    if "postgresql" not in STORES:
        pass
    elif absence:
        report.skip("the fleet on PostgreSQL", absence)
    else:
        database = Database()
        try:
            prove(report, "PostgreSQL, killed and started again", database)
        finally:
            database.end()
    if "folder" in STORES:
        prove(report, "a shared folder", None)
    report.end()


main()
