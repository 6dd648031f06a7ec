"""An authorization server with one user, for proofs that must block it at a request, or inspect its requests."""
import contextlib
import http.server
import itertools
import json
import threading
from urllib.parse import parse_qs, urlencode, urlsplit

from outside import PATIENCE, expect


class Issuer(http.server.ThreadingHTTPServer):
    """Issues tokens that are named by their number and valid for an hour, and records which are revoked."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.issuer = f"http://127.0.0.1:{self.server_port}"
        self.numbers, self.revoked = itertools.count(1), []
        self.held, self.dropped = None, None
        self.reached, self.gate = threading.Event(), threading.Event()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def __exit__(self, *_):
        self.gate.set()
        self.shutdown()
        self.server_close()

    @contextlib.contextmanager
    def holding(self, part):
        """Requests whose path contains this part get no response before the end."""
        self.held, self.reached, self.gate = part, threading.Event(), threading.Event()
        yield
        self.held = None
        self.gate.set()

    def until_reached(self):
        expect(self.reached.wait(PATIENCE), f"no request arrived for {self.held}")

    @contextlib.contextmanager
    def dropping(self, part):
        """Requests whose path contains this part lose their connection."""
        self.dropped = part
        yield
        self.dropped = None

    def handle_error(self, *_):
        pass  # a killed client

    def login(self, *words):
        """Returns the arguments for a sign-in without a user."""
        return ("login", self.issuer, "--client-id", "client", "--allow-insecure-loopback", "--browser", "curl -sL -o /dev/null", *words)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.answer({})

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        self.answer({name: values[0] for name, values in parse_qs(body).items()})

    def answer(self, form):
        parts, server = urlsplit(self.path), self.server
        if server.held and server.held in parts.path:
            server.reached.set()
            server.gate.wait()
        if server.dropped and server.dropped in parts.path:
            self.close_connection = True
            return
        if parts.path.startswith("/.well-known/"):
            at = server.issuer
            self.reply(200, {
                "issuer": at, "authorization_endpoint": f"{at}/authorize", "token_endpoint": f"{at}/token",
                "revocation_endpoint": f"{at}/revoke", "response_types_supported": ["code"],
                "code_challenge_methods_supported": ["S256"], "token_endpoint_auth_methods_supported": ["none"],
                "revocation_endpoint_auth_methods_supported": ["none"], "authorization_response_iss_parameter_supported": True,
            })
        elif parts.path == "/authorize":
            query = {name: values[0] for name, values in parse_qs(parts.query).items()}
            back = urlencode({"code": "code", "state": query["state"], "iss": server.issuer})
            self.reply(302, {}, Location=f"{query['redirect_uri']}?{back}")
        elif parts.path == "/token":
            number = next(server.numbers)
            self.reply(200, {
                "access_token": f"access-{number}", "token_type": "Bearer", "expires_in": 3600, "refresh_token": f"refresh-{number}"})
        elif parts.path == "/revoke":
            server.revoked.append(form["token"])
            self.reply(200, {})
        else:
            self.reply(404, {})

    def reply(self, status, members, **fields):
        body = json.dumps(members).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(body)), **fields}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass
