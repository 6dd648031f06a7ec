"""A server that counts, and processes that share an account at it."""
import contextlib
import os
import shutil
import sys

from outside import expect
from rotating_server import RotatingServer
from sessions import Folder, Session, all_do, expect_all_good

# The default lifetime of access tokens in seconds.
LIFETIME = 3600


def tell(text):
    print(text, file=sys.stderr, flush=True)


@contextlib.contextmanager
def setting(count=1, path=None, user=None, offsets=None, timeLimit=None, **server):
    """A server, and processes that share an account, signed in by the first."""
    folder = Folder(path)
    try:
        if user:
            os.chown(folder.path, user, user)
        with RotatingServer(**server) as judge, contextlib.ExitStack() as stack:
            sessions = [
                stack.enter_context(Session(judge, folder, user=user, clockOffset=offsets[index] if offsets else 0, timeLimit=timeLimit))
                for index in range(count)
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
    expect(found == count, f"{found} refresh requests, not {count}")
