"""A proxy in front of an authorization server that changes what the server signed: its key set, or its ID tokens."""
import base64
import http.client
import http.server
import json
import re
import subprocess
import threading
from urllib.parse import parse_qs, urlsplit

from outside import PATIENCE

HOP_BY_HOP = {"connection", "content-length", "keep-alive", "transfer-encoding"}
JSON_KINDS = ("application/json", "application/jwk-set+json")


class ForgingProxy(http.server.ThreadingHTTPServer):
    """Forwards every request to one server, which appears at the proxy's own URL. A forger is a function that changes the server's JSON."""

    daemon_threads = True

    def __init__(self, description):
        super().__init__(("127.0.0.1", 0), Handler)
        self.target, self.own = urlsplit(description["base"]).netloc, f"127.0.0.1:{self.server_port}"
        self.paths = {name: urlsplit(url).path for name, url in description["endpoints"].items() if isinstance(url, str)}
        self.forge_keys = self.forge_tokens = None
        self.asked, self.issued = [], []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()

    def begin(self, keys=None, tokens=None):
        """Changes all later responses with these functions, and forgets the requests so far."""
        self.forge_keys, self.forge_tokens = keys, tokens
        self.asked, self.issued = [], []

    def count(self, endpoint):
        return [path for path, _ in self.asked].count(self.paths.get(endpoint))

    def revoked(self):
        return [form["token"] for path, form in self.asked if path == self.paths.get("revocation_endpoint")]

    def moved(self, text):
        """Returns the text with the proxy's URL instead of the server's, even in another URL's query."""
        for colon in (":", "%3A", "%3a"):
            text = text.replace(self.target.replace(":", colon), self.own.replace(":", colon))
        return text

    def answer(self, path, status, kind, body):
        """Returns the body that the client receives."""
        text = self.moved(body.decode("utf-8", "surrogateescape"))
        if status == 200 and path == self.paths["jwks_uri"] and self.forge_keys:
            text = json.dumps(self.forge_keys(json.loads(text)))
        elif status == 200 and path == self.paths["token_endpoint"] and kind in JSON_KINDS:
            issued = json.loads(text)
            self.issued.append(issued)
            text = json.dumps(self.forge_tokens(issued) if self.forge_tokens else issued)
        return text.encode("utf-8", "surrogateescape")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def forward(self):
        server, path = self.server, urlsplit(self.path).path
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        form = {name: values[0] for name, values in parse_qs(body.decode("utf-8", "replace")).items()}
        server.asked.append((path, form))
        # The Host field is the proxy's: servers that derive their URLs from it publish the proxy's.
        headers = {name: value for name, value in self.headers.items() if name.lower() not in HOP_BY_HOP | {"accept-encoding"}}
        connection = http.client.HTTPConnection(server.target, timeout=PATIENCE)
        connection.request(self.command, self.path, body or None, headers)
        response = connection.getresponse()
        kind = response.headers.get_content_type()
        answer = server.answer(path, response.status, kind, response.read())
        connection.close()
        self.send_response_only(response.status)
        for name, value in response.headers.items():
            if name.lower() not in HOP_BY_HOP:
                self.send_header(name, server.moved(value) if name.lower() == "location" else value)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_GET = do_POST = do_PUT = do_DELETE = forward

    def log_message(self, *_):
        pass


def swap_keys(document):
    """Replaces each key in the set with another key of the same type and with the same key ID."""
    return dict(document, keys=[dict(key, **other_key(key)) for key in document["keys"]])


def other_key(key):
    if key["kty"] == "RSA":
        numbers = openssl("genrsa 2048", "rsa -modulus -noout").decode()
        return {"n": encoded(bytes.fromhex(re.search("Modulus=([0-9A-F]+)", numbers)[1])), "e": "AQAB"}
    if key["kty"] == "EC":
        # The end of the key's DER encoding: x and y.
        point = openssl("ecparam -genkey -noout -name prime256v1", "pkey -pubout -outform DER")[-64:]
        return {"crv": "P-256", "x": encoded(point[:32]), "y": encoded(point[32:])}
    return {"crv": "Ed25519", "x": encoded(openssl("genpkey -algorithm ed25519", "pkey -pubout -outform DER")[-32:])}


def openssl(make, read):
    key = subprocess.run(["openssl", *make.split()], check=True, capture_output=True, stdin=subprocess.DEVNULL).stdout
    return subprocess.run(["openssl", *read.split()], check=True, capture_output=True, input=key).stdout


def flip_claim(name, value):
    """A forger that changes one claim of the ID token, and leaves its signature."""
    def forge(issued):
        head, payload, signature = issued["id_token"].split(".")
        claims = dict(decoded(payload), **{name: value})
        return dict(issued, id_token=".".join([head, encoded(json.dumps(claims).encode()), signature]))
    return forge


def replace_token(earlier):
    """A forger that puts an ID token of an earlier sign-in into the response."""
    return lambda issued: dict(issued, id_token=earlier)


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(part):
    """The JSON object in a part of a compact token."""
    return json.loads(base64.urlsafe_b64decode(part + "=="))
