"""How often a token is refreshed, counted by a separate server: by many requests, many processes, killed ones, on broken stores."""
import math
import threading
import time

from outside import Report, expect
from refresh_beside_locks import kept_from_writing, stopped_while_refreshing
from refresh_kills import KILLS, kills
from refresh_on_broken_stores import broken_stores, tool_on_broken_stores
from refresh_setting import LIFETIME, expect_refreshes, setting, tell
from sessions import all_do, expect_all_good


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
        expect(judge.answers[401] >= 1, "no request was rejected: the proof would prove nothing")
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
                expect(judge.answers[401] >= 1, "no request was rejected: the proof would prove nothing")
            expect(judge.answers[200] == 800, f"{judge.answers}")


def real_lifetime():
    """A token with a lifetime of 2 s is refreshed after 1.6 s; the server expires it after 2 s by its own clock."""
    with setting(count=16, lifetime=2) as (judge, _, sessions):
        # On a busy machine, a token must be valid for longer than it takes to store and use it.
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
        expect(min(gaps) >= 0.75 * lifetime, f"of {lifetime} s, refreshed after {min(gaps):.2f} s")
        tell(f"{requests} requests over {len(gaps)} expiries by the clock, of {lifetime} s each, {judge.answers[401]} of them refused first")


# Clocks.

def clock_ahead():
    with setting(count=2, offsets=[0, 3600]) as (judge, _, sessions):
        settled(judge, sessions, 2)


def clock_behind():
    with setting(count=2, offsets=[0, -3600]) as (judge, _, sessions):
        settled(judge, sessions, 2)


def settled(judge, sessions, limit):
    """However the clocks differ, all requests succeed, and there are no more refreshes some time after the expiry."""
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


def main():
    report = Report()
    began = time.monotonic()

    def check(name, action):
        start = time.monotonic()
        report.check(name, action)
        tell(f"  {action.__name__}: {time.monotonic() - start:.1f} s")

    # These mostly wait, and run concurrently with all others.
    waiting = [threading.Thread(target=check, args=words) for words in (
        ("30 processes next to one that is stopped while it refreshes: each ends within its time, with 75, and names it", stopped_while_refreshing),
        ("records that another process keeps from being written: 75, and nothing is spent or lost", kept_from_writing))]
    for thread in waiting:
        thread.start()
    check("1,000 concurrent requests when the token expires: 1 token request, no failure", thousand_at_expiry)
    check("1,000 concurrent requests after the server revoked the token: 1 token request, no failure", thousand_ended_early)
    check("16 processes of 50 requests each over 20 expiries: 20 token requests, no failure, no sign-out", sixteen_processes)
    check("16 processes over real lifetimes of 2 s: one token request each, no failure", real_lifetime)
    check(f"{KILLS} processes killed while tokens are refreshed: only responses that are lost with their process require a sign-in", kills)
    check("one of two clocks is an hour ahead: no failure, and no endless refreshes", clock_ahead)
    check("one of two clocks is an hour behind: no failure, and no endless refreshes", clock_behind)
    broken_stores(report)
    tool_on_broken_stores(report)
    for thread in waiting:
        thread.join()
    tell(f"{time.monotonic() - began:.1f} s in all")
    report.end()


main()
