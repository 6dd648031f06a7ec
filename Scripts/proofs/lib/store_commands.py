"""The stores as a user uses them: `authhub store`, and related commands, from one store to the next."""
import os
import signal
import subprocess
import sys
import time

from message_bus import has_owner
from issuer import Issuer
from outside import AUTHHUB, AUTHHUB_WITH_POSTGRESQL, PATIENCE, DevelopmentServer, Home, Report, expect, succeed
from signing_out import Account

ACCOUNTS = ["default", "a/b", "../../x"]
LOCK = [
    "gdbus", "call", "--session", "--dest", "org.freedesktop.secrets", "--object-path", "/org/freedesktop/secrets", "--method",
    "org.freedesktop.Secret.Service.Lock", '["/org/freedesktop/secrets/collection/login"]',
]


class Keyring:
    """GNOME Keyring on this process's bus, with its own password."""

    def __init__(self, home):
        self.home = home
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            ["gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets"], env=self.home.environment,
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.process.stdin.write(b"password of the proof")
        self.process.stdin.close()
        end = time.monotonic() + PATIENCE
        while self.state() != "ready":
            expect(time.monotonic() < end, f"the keyring is {self.state()}")
            time.sleep(0.1)

    def state(self):
        # A query would start a service if there is none, and that one would be locked.
        if not has_owner(self.home, "org.freedesktop.secrets"):
            return "away"
        answer = self.home.run("store", "info", "-o", "json")
        return "ready" if '"store":"secret-service","state":"ready"' in answer.stdout.replace(" ", "") else answer.stdout

    def kill(self):
        self.process.kill()
        self.process.wait()


class Walk:
    """A user's accounts, from one store to the next; each step starts where the previous one ended."""

    def __init__(self, home, server, connection):
        self.home, self.server, self.database = home, server, f"postgresql:{connection}"
        self.connection = connection
        self.passphrase = home.write("passphrase", "correct horse\n")
        self.wrong = home.write("wrong", "battery staple\n")
        self.archive = os.path.join(home.path, "accounts.authhub")
        self.tokens = {}
        self.tool = AUTHHUB

    def key(self, name):
        path = os.path.join(self.home.path, name)
        with open(path, "wb") as file:
            os.chmod(path, 0o600)
            file.write(os.urandom(32))
        return path

    def run(self, *arguments, environment=None):
        # A passphrase takes 128 MiB and a second, on a machine with enough memory.
        return self.home.run(*arguments, environment=environment, timeout=2 * PATIENCE, tool=self.tool)

    def with_variables(self, **variables):
        return dict(self.home.environment, **variables)

    def refused(self, code, *arguments, status=9, **options):
        result = self.run(*arguments, "-o", "json", **options)
        expect(result.returncode == status, f"{arguments}: exit {result.returncode}: {result.stderr[-300:]}")
        expect(code in result.stderr + result.stdout, f"{arguments}: no {code}: {result.stderr[-300:]}")

    def whole(self, *options, environment=None):
        """Every account has the same token as before."""
        for name, token in self.tokens.items():
            got = succeed(self.run("token", "--as", name, *options, environment=environment)).stdout.strip()
            expect(got == token, f"the token of {name} is another one")

    def sign_in(self):
        for name in ACCOUNTS:
            succeed(self.run(
                "login", self.server["issuer"], "--client-id", "native-app", "--scope", "openid,offline_access", "--as", name,
                "--allow-insecure-loopback", "--headless", "--user", "octocat",
                environment=self.with_variables(AUTHHUB_HEADLESS_PASSWORD="octocat-password")))
            self.tokens[name] = succeed(self.run("token", "--as", name)).stdout.strip()
        self.home.write("tokens", "\n".join(self.tokens.values()))

    def move_killed(self, source, target, delay):
        """A move that is killed after a while; whatever it has done, every account is found."""
        process = subprocess.Popen(
            [AUTHHUB, "store", "migrate", source, target], env=self.home.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            process.wait(delay)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
        self.whole()

    def moves_between_files_and_keyring(self):
        for number in range(8):
            source, target = ("file", "secret-service") if number % 2 == 0 else ("secret-service", "file")
            self.move_killed(source, target, 0.02 * (number + 1))
            succeed(self.run("store", "migrate", source, target))
            self.whole()
        listed = succeed(self.run("store", "list")).stdout
        expect(listed.count("tokens") == len(ACCOUNTS), listed)

    def keyring_in_trouble(self, keyring):
        succeed(self.run("store", "migrate", "file", "secret-service"))
        found = subprocess.run(
            ["secret-tool", "search", "--all", "service", "authhub"], env=self.home.environment, capture_output=True)
        expect(found.stdout.count(b"label = authhub:") == 2 * len(ACCOUNTS), "secret-tool sees another number of items")
        subprocess.run(LOCK, env=self.home.environment, check=True, capture_output=True)
        for command in (["token"], ["logout"], ["store", "migrate", "secret-service", "file"], ["accounts"]):
            self.refused("store_locked", *command)
        keyring.kill()
        keyring.start()
        self.whole()
        keyring.process.send_signal(signal.SIGSTOP)
        self.refused("store_timed_out", "token")
        keyring.process.send_signal(signal.SIGCONT)
        self.whole()

    def through_database(self):
        self.tool = AUTHHUB_WITH_POSTGRESQL
        try:
            self.database_and_new_keys()
        finally:
            self.tool = AUTHHUB

    def database_and_new_keys(self):
        old, new = self.key("old-key"), self.key("new-key")
        first = self.with_variables(AUTHHUB_KEY_FILE=old)
        succeed(self.run("store", "migrate", "secret-service", self.database, environment=first))
        self.whole("--store", self.database, environment=first)
        seen = self.psql("SELECT key_id, encode(sealed, 'escape') FROM authhub.records")
        expect(not any(token in seen for token in self.tokens.values()), "a token can be read in the database")
        self.psql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND usename = 'authhub'")
        alone = self.with_variables(AUTHHUB_KEY_FILE=new)
        self.refused("store_key_missing", "token", "--store", self.database, environment=alone)
        self.refused(
            "store_key_missing", "login", self.server["issuer"], "--client-id", "native-app", "--as", "late", "--allow-insecure-loopback",
            "--headless", "--user", "octocat", "--store", self.database,
            environment=dict(alone, AUTHHUB_HEADLESS_PASSWORD="octocat-password"))
        rekey = ("store", "rekey", "key-file", "--store", self.database)
        self.refused("another key", *rekey, environment=alone)
        self.refused("AUTHHUB_OLDER_KEY_FILES names", *rekey, environment=dict(alone, AUTHHUB_OLDER_KEY_FILES=old + "x"))
        self.refused("usage", "store", "rekey", "passphrase", "--store", self.database, environment=alone, status=64)
        both = dict(alone, AUTHHUB_OLDER_KEY_FILES=f"{old}:{new}")
        self.whole("--store", self.database, environment=both)
        succeed(self.run(*rekey, environment=both))
        self.whole("--store", self.database, environment=alone)
        expect(len(set(self.psql("SELECT key_id FROM authhub.records").split())) == 1, "two keys are in use")
        succeed(self.run("store", "migrate", self.database, "secret-service", environment=alone))
        succeed(self.run("store", "migrate", "secret-service", "file"))
        self.whole()

    def killed_sign_out(self, store, tool=AUTHHUB):
        environment = self.with_variables(AUTHHUB_KEY_FILE=self.key("key-of-sign-outs"))
        with Issuer() as issuer:
            Account(self.home, issuer, store, environment=environment, tool=tool).survives_a_kill()

    def psql(self, text):
        return subprocess.run(["psql", self.connection, "-Atc", text], check=True, capture_output=True, text=True).stdout

    def archives(self):
        given, wrong = ("--passphrase-file", self.passphrase), ("--passphrase-file", self.wrong)
        succeed(self.run("store", "export", self.archive, *given))
        self.refused("archive_failed", "store", "export", self.archive, *given, status=1)
        self.refused("archive_failed", "store", "import", self.archive, *wrong, status=1)
        with open(self.archive, "rb") as file:
            whole = file.read()
        expect(not any(token.encode() in whole for token in self.tokens.values()), "a token can be read in the archive")
        for length in (0, 3, 40, len(whole) // 2, len(whole) - 1):
            torn = os.path.join(self.home.path, f"torn-{length}")
            with open(torn, "wb") as file:
                os.chmod(torn, 0o600)
                file.write(whole[:length])
            self.refused("archive_damaged", "store", "import", torn, *given, status=1)
        with Home() as other:
            moved = dict(other.environment, DBUS_SESSION_BUS_ADDRESS="disabled:")
            succeed(self.run("store", "import", self.archive, *given, environment=moved))
            self.whole(environment=moved)
        self.whole()


def main():
    report = Report()
    with Home() as home:
        home.environment["DBUS_SESSION_BUS_ADDRESS"] = os.environ["DBUS_SESSION_BUS_ADDRESS"]
        with DevelopmentServer(home, "oidc") as server:
            walk = Walk(home, server, sys.argv[1])
            files = dict(home.environment)
            home.environment["DBUS_SESSION_BUS_ADDRESS"] = "disabled:"
            report.check("without a keyring, sign-ins are stored in files", walk.sign_in)
            home.environment.update(files)
            keyring = Keyring(home)
            try:
                report.check("killed moves between files and keyring lose and hide nothing", walk.moves_between_files_and_keyring)
                report.check("a keyring that is locked, killed or hangs is reported as such, and all records are there afterwards",
                             lambda: walk.keyring_in_trouble(keyring))
                report.check("a logout that was killed is finished by the next command, in a keyring",
                             lambda: walk.killed_sign_out("secret-service"))
                if "without PostgreSQL" in home.run("token", "--store", walk.database, tool=AUTHHUB_WITH_POSTGRESQL).stderr:
                    report.skip("records in PostgreSQL get a new key", f"{AUTHHUB_WITH_POSTGRESQL} was built without PostgreSQL")
                    succeed(home.run("store", "migrate", "secret-service", "file"))
                else:
                    report.check("a logout that was killed is finished by the next command, in PostgreSQL",
                                 lambda: walk.killed_sign_out(walk.database, AUTHHUB_WITH_POSTGRESQL))
                    report.check("records move to PostgreSQL and back, and are encrypted with a new key there", walk.through_database)
                report.check("archives are imported only if they are complete and the passphrase is right", walk.archives)
            finally:
                keyring.kill()
    report.end()


main()
