"""The authorization server of refresh-in-numbers for many accounts: a token family for each sign-in, and tokens that expire by the clock.

A used refresh token that is presented again revokes its family (RFC 9700 §4.14.2), with one exception, which rotating servers make for
clients that die (Auth0's overlap period, Okta's grace period): for some seconds the last one is accepted again, as long as the tokens
issued for it have not been used. Without it, a lost response costs a sign-in, whatever a client does.
"""
import json
import os
import secrets
import time

from rotating_server import RotatingServer


class Family:
    """The tokens from one sign-in."""

    def __init__(self, number):
        self.number = number
        self.grants = []
        self.current = self.previous = self.account = None
        self.is_used = self.is_ended = False


class FamilyGrant:
    """A pair of tokens: the process it was issued to, the times of the request and the response, and its first use."""

    def __init__(self, process, kind, is_repeated, lifetime):
        self.process, self.kind, self.is_repeated, self.lifetime = process, kind, is_repeated, lifetime
        self.arrived, self.answered, self.used = time.monotonic(), None, None


class FleetServer(RotatingServer):
    def __init__(self, grace, random, **settings):
        self.grace, self.random = grace, random
        self.families, self.by_refresh, self.by_access = [], {}, {}
        # Family, process and time of each used token that was presented again and rejected.
        self.ends = []
        # The seconds for which a token was used after the response with the next one was sent, and whether by its receiver.
        self.late_uses = []
        # If set, the process of the next refresh is killed before it has stored the response, or right after.
        self.wants_victim = False
        # If set, the process of the next refresh is killed before the response is sent; the families and responses lost in this way.
        self.wants_loss = False
        self.losses = []
        self.killed = {}
        super().__init__(**settings)

    def grants_of_refreshes(self):
        return [grant for family in self.families for grant in family.grants if grant.kind == "refresh_token"]

    def kill(self, process):
        """Kills a process of the fleet, and records the time. Returns whether there was one."""
        self.killed[process] = time.monotonic()
        try:
            os.kill(process, 9)
        except ProcessLookupError:
            del self.killed[process]
            return False
        return True

    def api(self, fields, process):
        token = fields.get("authorization", "").partition(" ")[2]
        family, grant = self.by_access.get(token, (None, None))
        now = time.monotonic()
        if not family or family.is_ended or now > grant.arrived + grant.lifetime:
            self.answers[401] += 1
            return 401, {"WWW-Authenticate": 'Bearer error="invalid_token"'}, b"{}"
        family.account = fields.get("x-account")
        newest = family.grants[-1]
        if grant is newest:
            family.is_used = True
            grant.used = grant.used or now
        elif newest.answered:
            self.late_uses.append((now - newest.answered, process == newest.process))
        self.answers[200] += 1
        return 200, {}, b"{}"

    def token(self, form, process, reply):
        kind = form.get("grant_type")
        family, is_repeated, error = None, False, None
        if kind == "authorization_code":
            error = self.judge_code(form)
            if not error:
                family = Family(len(self.families))
                self.families.append(family)
        else:
            family = self.by_refresh.get(form.get("refresh_token"))
            is_repeated, error = self.judge_spent(family, form.get("refresh_token"), process)
        kept = {"Content-Type": "application/json", "Cache-Control": "no-store"}
        if error:
            self.refusals.append((process, error))
            self.loop.call_later(self.pause, reply, 400, kept, json.dumps({"error": error}).encode())
            return
        grant = FamilyGrant(process, kind, is_repeated, int(self.lifetime))
        answer = self.issue_pair(family, grant, form.get("refresh_token"))
        if self.wants_loss and kind == "refresh_token" and self.kill(process):
            self.wants_loss = False
            self.losses.append((family, grant))
        elif self.wants_victim and kind == "refresh_token":
            self.wants_victim = False
            self.loop.call_later(self.random.uniform(0, self.pause * 1.4), self.kill, process)

        def leave():
            grant.answered = time.monotonic()
            reply(200, kept, json.dumps(answer).encode())

        self.loop.call_later(self.pause, leave)

    def judge_spent(self, family, token, process):
        """Returns whether it is the last used token, accepted again, and the error."""
        if not family or family.is_ended:
            return False, "invalid_grant"
        if token == family.current:
            return False, None
        if token == family.previous and not family.is_used and time.monotonic() - family.grants[-1].arrived <= self.grace:
            return True, None
        family.is_ended = True
        self.ends.append((family, process, time.monotonic()))
        return False, "invalid_grant"

    def issue_pair(self, family, grant, spent):
        access, refresh = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
        family.grants.append(grant)
        family.previous, family.current, family.is_used = spent, refresh, False
        self.by_refresh[refresh] = family
        self.by_access[access] = (family, grant)
        return {"access_token": access, "token_type": "Bearer", "expires_in": grant.lifetime, "refresh_token": refresh, "scope": "read"}
