"""A fleet: processes in several homes that share 200 accounts by one store, and are killed and started again all the while.

The server's own journal is the evidence. AUTHHUB_FLEET_SECONDS says how long each run takes (30), AUTHHUB_FLEET_GRACE for how many seconds the
server takes a spent token again whose answer was lost (120; 0 for never: then each lost answer costs a sign-in), AUTHHUB_PROOF_SEED repeats
what is up to chance but for the moments of the system.
"""
import contextlib
import glob
import json
import os
import pathlib
import pwd
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter

from fleet_server import FleetServer
from outside import PATIENCE, Home, Report, expect

SECONDS = float(os.environ.get("AUTHHUB_FLEET_SECONDS") or 30)
GRACE = float(os.environ.get("AUTHHUB_FLEET_GRACE") or 120)
SEED = int(os.environ.get("AUTHHUB_PROOF_SEED") or random.randrange(1 << 32))
RATE = float(os.environ.get("AUTHHUB_FLEET_RATE") or 12)
STORES = (os.environ.get("AUTHHUB_FLEET_STORES") or "postgresql folder").split()
PROCESSES, HOMES, ACCOUNTS, LIFETIME = 8, 4, 200, 5
# The stores try for ten seconds, and leases end ten seconds after their holders.
REACH_OF_OUTAGE = 12
# A session renews a token when a fifth of its life is left.
RENEWED_AFTER = 0.8
DRIVER = os.environ.get("FLEET_DRIVER")


def tell(text):
    print(text, file=sys.stderr, flush=True)


class Database:
    """A PostgreSQL server of this proof's own."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="authhub-fleet-", dir=os.environ.get("AUTHHUB_PROOF_FOLDER", "/tmp"))
        os.chmod(self.folder, 0o755)
        user = pwd.getpwnam("postgres") if os.geteuid() == 0 else None
        self.prefix = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", "env", "HOME=/tmp"] if user else []
        if user:
            os.chown(self.folder, user.pw_uid, user.pw_gid)
        self.run("initdb", "-D", self.data, "-A", "trust", "-U", "authhub", "--no-sync", "-E", "UTF8", "--locale=C")
        self.start()

    data = property(lambda self: os.path.join(self.folder, "data"))
    connection = property(lambda self: f"host={self.folder} dbname=postgres user=authhub")

    @staticmethod
    def absence():
        if not Database.programs():
            return "there is no PostgreSQL server here (Debian: postgresql-15)"
        if os.geteuid() == 0 and not any(user.pw_name == "postgres" for user in pwd.getpwall()):
            return "there is no user postgres, and PostgreSQL refuses to run as root"
        return None

    @staticmethod
    def programs():
        found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb")) or [path for path in [shutil.which("initdb")] if path]
        return os.path.dirname(found[-1]) if found else None

    def run(self, program, *words):
        command = [*self.prefix, os.path.join(self.programs(), program), *words]
        result = subprocess.run(command, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        expect(result.returncode == 0, f"{program}: {result.stdout} {result.stderr}")
        return result.stdout

    def start(self):
        options = f"-k {self.folder} -c listen_addresses= -c max_connections=200 -c shared_buffers=32MB -c dynamic_shared_memory_type=mmap"
        log = os.path.join(self.folder, "log")
        # Its input and output are not ours: pg_ctl's server would keep them open.
        command = [*self.prefix, os.path.join(self.programs(), "pg_ctl"), "-D", self.data, "-l", log, "-w", "-t", str(PATIENCE), "-o", options, "start"]
        code = subprocess.run(command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
        expect(code == 0, f"PostgreSQL does not start: {pathlib.Path(log).read_text()[-400:]}")

    def kill(self):
        """All its processes at once, as where a machine fails."""
        lock = pathlib.Path(self.data, "postmaster.pid")
        leader = int(lock.read_text().split()[0])
        os.kill(leader, 19)
        processes = [*map(int, pathlib.Path(f"/proc/{leader}/task/{leader}/children").read_text().split()), leader]
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, 9)
        while any(self.is_running(process) for process in processes):
            time.sleep(0.01)
        # Where nobody collects the dead, the next server would take the number in this file for that of one that runs.
        for path in [str(lock), *glob.glob(os.path.join(self.folder, ".s.*"))]:
            os.unlink(path)

    @staticmethod
    def is_running(process):
        try:
            return "Z" not in pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return False

    def cut_connection(self):
        """Ends the connection of one of the fleet's."""
        self.run(
            "psql", "-h", self.folder, "-U", "authhub", "-d", "postgres", "-qAt", "-c",
            "SELECT pg_terminate_backend(pid) FROM (SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'"
            " AND pid <> pg_backend_pid() ORDER BY random() LIMIT 1) AS one")

    def end(self):
        with contextlib.suppress(Exception):
            self.run("pg_ctl", "-D", self.data, "-m", "immediate", "-w", "stop")
        shutil.rmtree(self.folder, ignore_errors=True)


class Member:
    """A place in the fleet: a home, and the process that runs in it now."""

    def __init__(self, home, setup, journal):
        self.home, self.setup, self.journal = home, setup, journal
        self.process = None

    def start(self):
        with open(self.journal, "ab") as output:
            self.process = subprocess.Popen(
                [DRIVER], env=self.home.environment, cwd=self.home.path, stdin=subprocess.PIPE, stdout=output, stderr=subprocess.DEVNULL)
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
    """One run, and what is to be said of it."""

    def __init__(self, judge, members, database, chance):
        self.judge, self.members, self.database, self.random = judge, members, database, chance
        self.cuts, self.outages, self.codes = 0, [], []

    def run(self):
        for member in self.members:
            member.start()
        # Debug builds on a busy machine take their time to start; what is counted begins with the first requests.
        while self.judge.answers[200] < ACCOUNTS * 2:
            time.sleep(0.05)
        begin = time.monotonic()
        self.begin = begin
        for _ in range(3):
            self.lose_answer()
        # What becomes of those accounts is not to be the outage's doing.
        outage = max(begin + SECONDS / 2, time.monotonic() + REACH_OF_OUTAGE + 1)
        is_cut_off = self.database is None
        next_cut = begin + 2
        while time.monotonic() < begin + SECONDS or not is_cut_off:
            self.kill_one()
            if not is_cut_off and time.monotonic() > outage:
                is_cut_off = True
                self.fail_database()
            if self.database and time.monotonic() > next_cut:
                self.database.cut_connection()
                self.cuts += 1
                next_cut = time.monotonic() + self.random.uniform(0.5, 3)
        self.judge.wants_victim = False
        # Leases of those that were killed last end within ten seconds in PostgreSQL; then everyone is served again.
        self.restart_until(time.monotonic() + (12 if self.database else 2))
        self.restart_while(self.has_stuck_accounts, "accounts whose holder was killed go on")
        self.codes = [member.end() for member in self.members]

    def lose_answer(self):
        """Kills whoever renews next, before the answer leaves: its lease is held, and nobody has what was issued."""
        self.judge.wants_loss = True
        self.restart_while(lambda: self.judge.wants_loss, "a process renews")

    def has_stuck_accounts(self):
        return GRACE and any(family.grants[-1] is lost and not family.is_ended for family, lost in self.judge.losses)

    def kill_one(self):
        """Someone at some moment, or whoever renews next, while the answer is on its way or is being stored."""
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
        # It is back when the fleet renews by it again: where a machine has much else to do, that takes its time.
        before = len(self.judge.grants_of_refreshes())
        self.restart_while(lambda: len(self.judge.grants_of_refreshes()) < before + ACCOUNTS / 2, "the fleet renews after the outage")
        self.outages.append((begin, time.monotonic()))

    # What the journals say.

    def is_near_outage(self, moment):
        """Whether what began then may have met the database away."""
        return any(begin - REACH_OF_OUTAGE < moment < end + REACH_OF_OUTAGE for begin, end in self.outages)

    def is_for_outage(self, line):
        """Failures that a database which is away may cause: of the store, and of tokens that ended before they could be stored."""
        moment = line["at"] - time.time() + time.monotonic()
        is_kind = "the store failed" in line["error"] or "the access token had ended" in line.get("explanation", "")
        return is_kind and any(begin <= moment < end + 25 for begin, end in self.outages)

    def lines(self):
        for member in self.members:
            with open(member.journal) as file:
                for line in file:
                    with contextlib.suppress(json.JSONDecodeError):
                        yield json.loads(line)

    def explain(self, grant):
        """Why the answer with this grant never came into the store, or None."""
        killed = self.judge.killed.get(grant.process)
        if killed is None:
            return None
        late = killed - grant.arrived
        # A request of a process that was killed may be read after its end. To store takes longer where the database is away.
        away = sum(max(0, min(killed, end) - max(grant.arrived, begin)) for begin, end in self.outages)
        slowness = self.slowness()
        return killed if -1 - slowness < late < 1.5 + slowness + away + (10 if away else 0) else None

    def slowness(self):
        """Within how many seconds every answer was stored and used that was, but around the outage: more on a machine with much else to do."""
        grants = [grant for family in self.judge.families for grant in family.grants if not self.is_near_outage(grant.arrived)]
        return max((grant.used - grant.arrived for grant in grants if grant.used and grant.kind == "refresh_token"), default=0)

    def verdict(self):
        judge, after_end, lost, odd, waits = self.judge, 0, [], [], {False: [], True: []}
        for family in judge.families:
            for before, grant in zip(family.grants, family.grants[1:]):
                if grant.is_repeated:
                    killed = self.explain(before)
                    if killed is None:
                        killed = self.judge.killed.get(before.process)
                        end = "was not killed" if killed is None else f"was killed only {killed - before.arrived:.1f} s after it had spent it"
                        odd.append(f"family {family.number}: process {grant.process} sent a spent token, and {before.process} {end}")
                    else:
                        lost.append(killed - before.arrived)
                        waits[self.is_near_outage(killed)].append(grant.arrived - killed)
                elif grant.arrived - before.arrived >= before.lifetime * RENEWED_AFTER - 0.05:
                    after_end += 1
                else:
                    odd.append(f"family {family.number}: renewed {grant.arrived - before.arrived:.2f} s after the last time")
        ended = [self.explain(family.grants[-1]) for family, _, _ in judge.ends]
        lines = list(self.lines())
        errors = Counter(line["error"] for line in lines if line["kind"] == "error" and not self.is_for_outage(line))
        excused = Counter(line["error"] for line in lines if line["kind"] == "error" and self.is_for_outage(line))
        ends = [line for line in lines if line["kind"] == "end"]
        late = sorted(seconds for seconds, is_own in judge.late_uses if seconds > 0)
        refreshes = len(judge.grants_of_refreshes())
        rows = [
            ("processes, homes, accounts", f"{PROCESSES}, {HOMES}, {ACCOUNTS}"),
            ("seconds; life of a token", f"{SECONDS:.0f}; {judge.lifetime:.0f} s, renewed from {judge.lifetime * RENEWED_AFTER:.0f} s on"),
            ("requests answered 200; 401", f"{judge.answers[200]}; {judge.answers[401]}"),
            ("processes killed", len(judge.killed)),
            ("connections cut; database killed", f"{self.cuts}; {len(self.outages)}" if self.database else "-"),
            ("refreshes", refreshes),
            ("  because a token had ended", after_end),
            ("  because an answer died with its process", len(lost)),
            ("  for no reason", len(odd)),
            ("stored and used after the request, at most", f"{self.slowness() * 1000:.0f} ms"),
            ("killed after its request, at most", f"{max(lost, default=0) * 1000:.0f} ms"),
            ("next refresh after such a kill, at most", f"{max(waits[False], default=0):.1f} s"),
            ("  where the database was away, too", f"{max(waits[True], default=0):.1f} s"),
            ("slowest request of all", f"{max((end['slowest'] for end in ends), default=0):.1f} s"),
            ("uses of a token that had been renewed", f"{len(late)}, at most {max(late, default=0) * 1000:.0f} ms after"),
            ("  half of them within; 99 of 100 within", f"{late[len(late) // 2] * 1000:.0f} ms; {late[len(late) * 99 // 100] * 1000:.0f} ms" if late else "-"),
            ("families ended: by a lost answer; otherwise", f"{sum(end is not None for end in ended)}; {sum(end is None for end in ended)}"),
            ("accounts signed out", len({name for end in ends for name in end["signedOut"]})),
            ("requests that failed", dict(errors) or 0),
            ("  while the database was away or just back", dict(excused) or 0),
        ]
        for name, value in rows:
            tell(f"  {name:48} {value}")
        for line in [line for line in lines if line["kind"] == "error"][:5]:
            tell(f"  {line}")
        return refreshes, after_end, lost, odd, waits, ended, errors, ends


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
        # Signs everyone in, and ends.
        first.start()
        expect(first.process.wait(PATIENCE) == 0, "the fleet's accounts could not be signed in")
        seconds = time.monotonic() - begin
        tell(f"  {len(judge.families)} accounts signed in within {seconds:.1f} s")
        # Where that takes long, so does storing a token: it has to live until it can be used.
        judge.lifetime = min(max(LIFETIME, seconds), 3 * LIFETIME)
        for family in judge.families:
            # Their tokens have a part of their life behind them.
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
            found.update(verdict=run.verdict(), slowness=run.slowness())
            expect(run.codes == [0] * PROCESSES, f"exit codes {run.codes}")

    def verdict():
        expect("verdict" in found, "the run did not come to its end")
        return found["verdict"]

    def refreshes():
        refreshes, after_end, lost, odd, *_ = verdict()
        expect(not odd, "; ".join(odd[:5]))
        expect(refreshes == after_end + len(lost), f"{refreshes} refreshes, {after_end} ends of tokens, {len(lost)} lost answers")
        expect(after_end > ACCOUNTS, f"only {after_end} ends of tokens: the proof would prove nothing")

    def nobody_lost():
        _, _, lost, _, _, ended, _, ends = verdict()
        expect(all(end is not None for end in ended), f"{len(ended)} families ended")
        signed_out = {name for end in ends for name in end["signedOut"]}
        expect(len(signed_out) <= len(ended), f"{len(signed_out)} accounts are signed out, {sorted(signed_out)[:5]}")
        if GRACE:
            expect(not ended and not signed_out, f"{len(ended)} families ended, {len(signed_out)} accounts are signed out")
            expect(lost, "no answer died with its process: the proof would prove nothing")

    def no_failure():
        *_, ended, errors, _ = verdict()
        left = {name: count for name, count in errors.items() if not (ended and "sign-in needed" in name)}
        expect(not left, f"requests failed: {left}")

    def going_on():
        waits = verdict()[4][False]
        expect(len(waits) >= 3, f"{len(waits)} such accounts: the proof would prove nothing")
        longest = max(waits)
        # Where everything takes longer, so does this.
        limit = (10 + 6 if database else 10) + 3 * found["slowness"]
        expect(longest < limit, f"an account whose holder was killed was renewed after {longest:.1f} s only")

    report.check(f"{name}: a fleet of {PROCESSES} processes with {ACCOUNTS} accounts runs, with processes killed all the while", run)
    report.check(f"{name}: each refresh follows the end of a token, or an answer that died with its process", refreshes)
    report.check(f"{name}: no family ended for another reason, and nobody is signed out", nobody_lost)
    but = ", but while the database was away and came back" if database else ""
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
