"""Stores that break before a token expires, or when the next one arrives: with sessions, and with the tool."""
import contextlib
import json
import os
import shutil
import subprocess
import tempfile

from outside import DevelopmentServer, Home, expect, succeed
from refresh_setting import LIFETIME, expect_refreshes, setting
from sessions import Folder, Session, all_do, expect_all_good

# A user who may not write to the folders of others, unlike root.
ANYONE = 65534


class FullDisk:
    """A store on a separate disk, which something else fills."""

    code, says = "full", "no space is left"

    def __init__(self, path):
        self.filler = os.path.join(path, "filler")

    def spoil(self):
        with open(self.filler, "wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(4096))

    def mend(self):
        os.remove(self.filler)


class ReadOnlyFolder:
    code, says = "refused", "the system does not allow access"

    def __init__(self, credentials):
        self.credentials = credentials

    def spoil(self):
        os.chmod(self.credentials, 0o500)

    def mend(self):
        os.chmod(self.credentials, 0o700)


class ChangedRecords:
    """All records of a folder, changed and restored."""

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
    """No process uses the refresh token while another could not be stored, and no one is signed out."""
    with setting(path=path, count=2, user=user) as (judge, folder, sessions):
        before = folder.bytes()
        judge.end_access_tokens()
        fault.spoil()
        for attempt in range(2):
            for outcome in all_do(sessions, requests=10, advance=LIFETIME if attempt == 0 else 0):
                expect(outcome["errors"] == {f"not_authorized / store_failed / {fault.code}": 10}, f"{outcome}")
                expect(outcome["state"] == "signed in", f"{outcome}")
        expect_refreshes(judge, 0)
        expect(folder.bytes() == before, "the record has changed")
        fault.mend()
        expect_all_good(all_do(sessions, requests=10), 10)
        expect_refreshes(judge, 1)


def broken_during_the_request(path, fault, user=None):
    with setting(path=path, count=2, user=user) as (judge, folder, sessions):
        broken_after_rotation(judge, folder, sessions[0], fault)
        expect_all_good(all_do(sessions, requests=10, advance=LIFETIME), 10)


def filled_during_the_request(path, fault):
    """The space for the new tokens was reserved before the request."""
    with setting(path=path, count=2) as (judge, folder, sessions):
        before = folder.bytes()
        judge.end_access_tokens()
        judge.while_answering = fault.spoil
        expect_all_good([sessions[0].do(requests=10, advance=LIFETIME)], 10)
        judge.while_answering = lambda: None
        expect(folder.bytes() != before, "the refreshed token was not stored")
        expect_all_good([sessions[1].do(requests=10, advance=0)], 10)
        expect_refreshes(judge, 1)
        fault.mend()


def broken_after_rotation(judge, folder, session, fault):
    """The store breaks between the rotation and the storing: the new token stays in memory, and is stored when that is possible."""
    before = folder.bytes()
    judge.end_access_tokens()
    judge.while_answering = fault.spoil
    for attempt in range(3):
        outcome = session.do(requests=10, advance=LIFETIME if attempt == 0 else 0)
        expect(outcome["errors"] == {f"not_authorized / store_failed / {fault.code}": 10}, f"{outcome}")
        expect_refreshes(judge, 1)
        expect(folder.bytes() == before, "the record has changed")
    judge.while_answering = lambda: None
    fault.mend()
    expect_all_good([session.do(requests=10)], 10)
    expect_refreshes(judge, 1)
    expect(folder.bytes() != before, "the refreshed token was not stored")


def damaged_record(change, code):
    """A specific error, nothing sent, nothing changed; everything works when the record is restored."""
    with setting(count=2) as (judge, folder, sessions):
        whole = folder.bytes()
        damaged = change(whole)
        folder.put(damaged)
        error = f"store_failed / {code}"
        with Session(judge, folder, clockOffset=LIFETIME) as newcomer:
            found = newcomer.started()
            expect(found["state"] == "unknown" and found["errors"] == {error: 1}, f"{found}")
            for outcome in [newcomer.do(requests=10), *all_do(sessions, requests=10, advance=LIFETIME)]:
                expect(outcome["errors"].get(f"not_authorized / {error}") == 10, f"{outcome}")
                expect(outcome.get("explanation", "").count("not changed"), f"{outcome}")
            expect_refreshes(judge, 0)
            expect(folder.bytes() == damaged, "the record was touched")
            folder.put(whole)
            judge.end_access_tokens()
            expect_all_good(all_do([newcomer, *sessions], requests=10), 10)
            expect_refreshes(judge, 1)


@contextlib.contextmanager
def small_disk():
    """Returns a file system of 256 KiB, or None if mounting is not permitted."""
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
    """Root may write to read-only folders, so another user's permissions apply."""
    user = ANYONE if os.geteuid() == 0 else None
    before, kept = "typed errors, no token request, no sign-out, and success after the repair", "the token is kept in the process"
    for moment, what, action in (
        ("before the token expires", before, broken_before), ("when the rotated token arrives", "TR49 it is stored", filled_during_the_request),
    ):
        with small_disk() as path:
            if path:
                store = os.path.join(path, "store")
                os.mkdir(store, 0o700)
                report.check(f"the disk is full {moment}: {what}", lambda: action(store, FullDisk(path)))
            else:
                report.skip(f"the disk is full {moment}", "mounting a small file system is not allowed here")
    for moment, what, action in (
        ("before the token expires", before, broken_before),
        ("when the rotated token arrives", f"typed errors, {kept}, and stored after the repair", broken_during_the_request),
    ):
        with fresh_folder() as path:
            fault = ReadOnlyFolder(Folder(path).credentials())
            report.check(f"the folder is read-only {moment}: {what}", lambda: action(path, fault, user))
    what = "a typed error, no request, no change, and success after the record is restored"
    report.check(f"a damaged record: {what}", lambda: damaged_record(flipped, "corrupt"))
    report.check(f"a record of a newer version: {what}", lambda: damaged_record(newer, "too_new"))


def tool_on_broken_stores(report):
    """The same with the tool: exit code 9, a message, no loss, and success after the repair."""
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

            what = "the tool exits with 9 and says why, and works after the repair"
            if disk:
                report.check(f"{what}: a full disk", lambda: check(FullDisk(disk)))
            else:
                report.skip(f"{what}: a full disk", "mounting a small file system is not allowed here")
            report.check(f"{what}: a read-only folder", lambda: check(ReadOnlyFolder(credentials)))
            report.check(f"{what}: damaged records", lambda: check(ChangedRecords(credentials, flipped, "damaged")))
            report.check(f"{what}: records of a newer version", lambda: check(ChangedRecords(credentials, newer, "newer")))
