"""Processes that are killed while tokens are refreshed.

AUTHHUB_PROOF_KILLS is their number (60; 500 is the long version), AUTHHUB_PROOF_SEED repeats their order.
"""
import contextlib
import os
import random
import time

from outside import PATIENCE, expect
from refresh_setting import setting, tell
from sessions import Session, all_do, expect_all_good

KILLS = int(os.environ.get("AUTHHUB_PROOF_KILLS") or 60)
SEED = int(os.environ.get("AUTHHUB_PROOF_SEED") or random.randrange(1 << 32))


class Kills:
    """Processes that are killed during a refresh, and the results."""

    def __init__(self, judge, folder, sessions):
        self.judge, self.folder, self.sessions = judge, folder, list(sessions)
        self.random = random.Random(SEED)
        self.killed = {}
        self.lost, self.overtaken, self.signed_in_again, self.holders = [], 0, 0, 0
        # The seconds that the slowest took to refresh, store and send a request: more on a busy machine.
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
        """Kills a random process at a random time; or the one that is refreshing, while the response is in transit or is being stored."""
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
        """A family may only end because of a kill: the response of its last rotation was sent to the killed process, and was never stored;
        or the killed process's request, sent before, was processed after that of the next process, which had read the same token from the
        store."""
        for reuse in reuses:
            grant = self.judge.grants[reuse.spent_by - 1]
            sender = self.killed.get(reuse.process)
            if sender is not None and grant.process not in self.killed:
                expect(abs(reuse.at - sender) < 1 + self.slowest,
                       f"a request of a process that was killed {reuse.at - sender:.3f} s before")
                self.overtaken += 1
                continue
            expect(reuse.spent_by == reuse.current, f"rotation {reuse.current} was stored, and a token of {reuse.spent_by} came back")
            killed = self.killed.get(grant.process)
            expect(killed is not None, f"the family ended by process {reuse.process}, and {grant.process}, which had refreshed it, still runs")
            expect(killed - grant.arrived < 1 + self.slowest,
                   f"killed {killed - grant.arrived:.3f} s after its request: time enough to store")
            users = self.judge.users.get(grant.number, set()) - {grant.process}
            expect(not users, "others had used the token of that process: it was stored, and lost afterwards")
            self.lost.append(killed - grant.arrived)
        expect(len(reuses) == 1, f"{len(reuses)} old refresh tokens in one round: a refusal was not taken for the end")

    def sign_in_again(self):
        """The rejection has signed everyone out; no process is stuck."""
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
        expect(len(judge.reuses) == len(run.lost) + run.overtaken == run.signed_in_again,
               f"{len(judge.reuses)} families ended, {run.lost}")
        expect(run.holders >= KILLS // 10, f"only {run.holders} were killed while they refreshed: the proof would prove nothing")
        longest = max(run.lost, default=0)
        tell(
            f"{KILLS} kills, {run.holders} of them of processes that were refreshing, {len(judge.refreshes())} refreshes: {len(run.lost)} responses were"
            f" lost with the killed process (at most {longest * 1000:.0f} ms after its request), {run.overtaken} requests of killed processes"
            " were overtaken by the next one's, and no family ended for another reason")
