"""Processes that are suspended (SIGSTOP) until after the timeout of their token request, with its response in their sockets.

AUTHHUB_PROOF_STOPPED is the number of concurrent processes (12).
"""
import contextlib
import os
import signal
import time

from outside import PATIENCE, Report, expect
from refresh_setting import setting, tell

COUNT = int(os.environ.get("AUTHHUB_PROOF_STOPPED") or 12)
# The timeout of the driver's requests in seconds, and for how long its process is suspended.
LIMIT, STOPPED = 5, 7.5


def stop(process):
    """Returns when the process has been suspended."""
    os.kill(process, signal.SIGSTOP)
    state = os.waitid(os.P_PID, process, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
    expect(state.si_code == os.CLD_STOPPED, f"process {process} ended instead of stopping")


def tokens_issued(judge, kind):
    return sum(grant.kind == kind for grant in judge.grants)


def wait_until_issued(judge, kind, count):
    end = time.monotonic() + PATIENCE
    while tokens_issued(judge, kind) < count:
        expect(time.monotonic() < end, f"no token request came within {PATIENCE} s")
        time.sleep(0.005)


def stopped_while_answered(kind, **order):
    """All are suspended when the server has issued new tokens to them, and the server responds after that."""
    with contextlib.ExitStack() as stack:
        runs = [stack.enter_context(setting(timeLimit=LIMIT)) for _ in range(COUNT)]
        counts = [tokens_issued(judge, kind) for judge, _, _ in runs]
        for (judge, _, [session]), count in zip(runs, counts):
            judge.holds_responses = True
            session.begin(**order)
            wait_until_issued(judge, kind, count + 1)
            stop(session.number)
        for judge, _, _ in runs:
            expect(judge.release() == 1, "the server did not hold one response")
        # Each timeout expires during the suspension: it started before it, and is shorter.
        time.sleep(STOPPED)
        for _, _, [session] in runs:
            os.kill(session.number, signal.SIGCONT)
        outcomes = [session.end() for _, _, [session] in runs]
        lost = [outcome["errors"] for outcome in outcomes if outcome["errors"]]
        tell(f"{COUNT} processes stopped for {STOPPED} s and more: {len(lost)} gave up on an answer that was there")
        expect(not lost, f"{len(lost)} of {COUNT} gave up: {lost[0] if lost else ''}")
        for (judge, _, [session]), outcome in zip(runs, outcomes):
            expect(outcome["state"] == "signed in", f"{outcome}")
            # The stored tokens are the last ones that the server issued.
            later = session.do(refresh=True)
            expect(not later["errors"] and not judge.reuses and not judge.refusals, f"{later}, {judge.refusals}")


def main():
    report = Report()
    report.check("TX06 a process that is stopped during a refresh stores the tokens that it was issued",
                 lambda: stopped_while_answered("refresh_token", refresh=True))
    report.check("TX06 a process that is stopped while a code is exchanged signs in",
                 lambda: stopped_while_answered("authorization_code", signIn=True))
    report.end()


main()
