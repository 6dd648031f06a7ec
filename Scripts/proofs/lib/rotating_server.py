"""An authorization server with one user and one client, and an API, written only for these proofs: the independent judge.

It rotates refresh tokens, revokes the family when an old one is presented again (RFC 9700 §4.14.2), has a delay at the token endpoint, and
keeps a journal. A token request is executed when it arrives, and gets its response after the delay: a process that dies in between has lost
it.
"""
import asyncio
import base64
import hashlib
import json
import secrets
import threading
import time
from collections import Counter
from email.utils import formatdate
from urllib.parse import parse_qs, urlencode, urlsplit


class Grant:
    """A rotation: the received token, the process, and the time. The number is that of the pair it issued."""

    def __init__(self, number, process, kind):
        self.number, self.process, self.kind = number, process, kind
        self.arrived = time.monotonic()


class Reuse:
    """An old refresh token was presented again, and the family was revoked: `used` is the rotation that had used it."""

    def __init__(self, process, spent_by, current):
        self.process, self.spent_by, self.current = process, spent_by, current
        self.at = time.monotonic()


class Connection(asyncio.Protocol):
    """The necessary parts of HTTP/1.1: one request after the other, bodies with a length."""

    def __init__(self, server):
        self.server, self.buffer = server, b""

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        self.buffer += data
        head, end, rest = self.buffer.partition(b"\r\n\r\n")
        if not end:
            return
        lines = head.decode("latin-1").split("\r\n")
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        length = int(fields.get("content-length", 0))
        if len(rest) < length:
            return
        self.buffer = rest[length:]
        method, target, _ = lines[0].split(" ")
        self.server.answer(method, target, fields, rest[:length], self.reply)

    def reply(self, status, fields, body):
        basics = [f"HTTP/1.1 {status} -", f"Date: {formatdate(usegmt=True)}", f"Content-Length: {len(body)}"]
        lines = [*basics, *(f"{name}: {value}" for name, value in fields.items())]
        self.transport.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)


class RotatingServer:
    def __init__(self, pause=0.05, lifetime=3600):
        self.pause, self.lifetime = pause, lifetime
        self.enforces_lifetime = False
        # Called in the server's thread between executing a token request and responding to it.
        self.while_answering = lambda: None
        # Whether responses that issue tokens wait for release().
        self.holds_responses, self.held_responses = False, []
        self.grants, self.reuses, self.refusals = [], [], []
        self.answers = Counter()
        self.users = {}
        self.codes, self.access, self.refresh = {}, {}, {}
        self.current = None
        self.loop = asyncio.new_event_loop()
        started = threading.Event()
        self.thread = threading.Thread(target=self.run, args=(started,), daemon=True)
        self.thread.start()
        started.wait(180)

    def run(self, started):
        asyncio.set_event_loop(self.loop)
        listening = self.loop.create_server(lambda: Connection(self), "127.0.0.1", 0, backlog=2048)
        self.listener = self.loop.run_until_complete(listening)
        self.base = "http://127.0.0.1:%d" % self.listener.sockets[0].getsockname()[1]
        started.set()
        self.loop.run_forever()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(180)
        self.listener.close()
        self.loop.close()

    # The methods for the judge.

    def end_access_tokens(self):
        """Revokes all access tokens; the server may do so at any time."""
        self.access = {}

    def release(self):
        """Sends the held responses, and returns when they are in the sockets."""
        async def send():
            count = len(self.held_responses)
            for reply, *response in self.held_responses:
                reply(*response)
            self.held_responses, self.holds_responses = [], False
            return count
        return asyncio.run_coroutine_threadsafe(send(), self.loop).result(180)

    def refreshes(self):
        return [grant for grant in self.grants if grant.kind == "refresh_token"]

    def answer(self, method, target, fields, body, reply):
        parts = urlsplit(target)
        process = int(fields.get("x-process", 0))
        if parts.path == "/api":
            reply(*self.api(fields, process))
        elif parts.path == "/authorize":
            reply(*self.authorize({name: values[0] for name, values in parse_qs(parts.query).items()}))
        elif parts.path == "/token" and method == "POST":
            self.token({name: values[0] for name, values in parse_qs(body.decode()).items()}, process, reply)
        else:
            reply(404, {}, b"")

    def api(self, fields, process):
        token = fields.get("authorization", "").partition(" ")[2]
        grant = self.access.get(token)
        if grant and self.enforces_lifetime and time.monotonic() > grant.arrived + self.lifetime:
            grant = None
        if grant:
            self.users.setdefault(grant.number, set()).add(process)
        status = 200 if grant else 401
        self.answers[status] += 1
        return status, {} if grant else {"WWW-Authenticate": 'Bearer error="invalid_token"'}, b"{}"

    # OAuth.

    def authorize(self, query):
        code = secrets.token_urlsafe(24)
        self.codes[code] = query
        back = query["redirect_uri"] + "?" + urlencode({"code": code, "state": query["state"]})
        return 302, {"Location": back}, b""

    def token(self, form, process, reply):
        kind = form.get("grant_type")
        error = self.judge_code(form) if kind == "authorization_code" else self.judge_refresh(form, process)
        kept = {"Content-Type": "application/json", "Cache-Control": "no-store"}
        if error:
            self.refusals.append((process, error))
            self.loop.call_later(self.pause, reply, 400, kept, json.dumps({"error": error}).encode())
        else:
            answer = self.issue(process, kind)
            self.while_answering()
            response = (reply, 200, kept, json.dumps(answer).encode())
            if self.holds_responses:
                self.held_responses.append(response)
            else:
                self.loop.call_later(self.pause, *response)

    def judge_code(self, form):
        query = self.codes.pop(form.get("code"), None)
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        if not query or base64.urlsafe_b64encode(digest).rstrip(b"=").decode() != query.get("code_challenge"):
            return "invalid_grant"
        return None

    def judge_refresh(self, form, process):
        token = form.get("refresh_token")
        if self.current and token == self.current:
            return None
        if token in self.refresh:
            self.reuses.append(Reuse(process, self.refresh[token], len(self.grants)))
        self.current, self.access = None, {}
        return "invalid_grant"

    def issue(self, process, kind):
        grant = Grant(len(self.grants) + 1, process, kind)
        self.grants.append(grant)
        if self.current and kind == "refresh_token":
            self.refresh[self.current] = grant.number
        access = secrets.token_urlsafe(24)
        self.current = secrets.token_urlsafe(24)
        self.access = {access: grant}
        answer = {
            "access_token": access, "token_type": "Bearer", "expires_in": self.lifetime, "refresh_token": self.current, "scope": "read",
        }
        return answer
