"""Signing out under bad conditions: killed at the worst moment, an unreachable server, another process that blocks."""
import json
import subprocess

from outside import AUTHHUB, expect, succeed


class Account:
    """An account in a store, at an issuer that can be blocked."""

    def __init__(self, home, issuer, store=None, label="killed", environment=None, tool=AUTHHUB):
        self.home, self.issuer, self.environment = home, issuer, environment or home.environment
        self.label, self.named = label, ("--as", label)
        self.tool = tool
        self.store = ("--store", store) if store else ()

    def run(self, *words):
        return self.home.run(*words, *self.store, environment=self.environment, tool=self.tool)

    def sign_in(self):
        succeed(self.run(*self.issuer.login(*self.named)))

    def killed_logout(self):
        """Kills a logout that has deleted the tokens, and has not notified the server."""
        with self.issuer.holding("/.well-known/"):
            process = subprocess.Popen(
                [self.tool, "logout", *self.named, *self.store], env=self.environment, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.issuer.until_reached()
            process.kill()
            process.wait()

    def records(self):
        """Returns its stored records, by kind; records that cannot be opened fail."""
        result = succeed(self.run("store", "list", "-o", "json"))
        return sorted(
            record["kind"] for store in json.loads(result.stdout) for record in store["records"] if record["account"] == self.label)

    def is_listed(self):
        """Returns whether it is listed as more than tokens that the server has not revoked yet."""
        entries = json.loads(succeed(self.run("accounts", "list", "-o", "json")).stdout)
        return self.label in [entry["account"] for entry in entries if entry["state"] != "revocation_pending"]

    def expect_left(self):
        """Checks the state after a killed logout: no account, and the tokens that the server has not revoked yet."""
        expect(self.records() == ["settings", "sign_out"], f"the records are {self.records()}")
        expect(not self.is_listed(), "it is listed as an account")
        for words in [("accounts", "list"), ("status", *self.named)]:
            told = self.run(*words).stderr
            expect("the server has not revoked the tokens yet" in told and f"authhub logout --as {self.label}" in told, told)

    def expect_finished_by(self, *words):
        before = len(self.issuer.revoked)
        result = self.run(*words)
        told = self.issuer.revoked[before:]
        expect([token.split("-")[0] for token in told] == ["refresh", "access"], f"{words}: the server was told of {told}; {result.stderr}")
        expect("sign_out" not in self.records(), f"{words}: it is still to be told")

    def survives_a_kill(self):
        self.sign_in()
        self.killed_logout()
        self.expect_left()
        self.expect_finished_by("token", *self.named)
        before = len(self.issuer.revoked)
        self.run("token", *self.named)
        expect(len(self.issuer.revoked) == before, "the server was told twice")
        self.run("logout", *self.named)
        expect(self.records() == [], f"the records are {self.records()}")
