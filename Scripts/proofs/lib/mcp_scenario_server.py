"""A protected MCP server and its authorization servers, each at a separate port; what they say is configured for each scenario."""
import base64
import dataclasses
import hashlib
import http.server
import itertools
import json
import threading
import time
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

EVIL = "https://other.example.com"
WELL_KNOWN_RESOURCE = "/.well-known/oauth-protected-resource"
WELL_KNOWN_SERVER = "/.well-known/oauth-authorization-server"
ASSERTION = "urn:ietf:params:oauth:grant-type:jwt-bearer"
EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange"
IDENTITY_ASSERTION = "urn:ietf:params:oauth:token-type:id-jag"
ID_TOKEN = "urn:ietf:params:oauth:token-type:id_token"
# The ID token of the user.
USER = "e30.e30.user"
WELL_KNOWN_OPENID = "/.well-known/openid-configuration"


@dataclasses.dataclass
class Setting:
    """What a scenario's servers say. The default is a server that follows the current revision and registers public clients."""

    # The protected resource metadata: its path (None: there is none), its scopes, and a resource that is not the server's.
    metadata: str | None = WELL_KNOWN_RESOURCE + "/mcp"
    scopes: list | None = None
    resource: str | None = None
    # The challenge: whether it names the metadata, and its scope.
    named: bool = True
    scope: str | None = None
    get_status: int = 404
    # The authorization server: the path of its issuer and of its metadata (None: there is none), members that differ (None: omitted).
    prefix: str = ""
    server_metadata: str | None = WELL_KNOWN_SERVER
    members: dict = dataclasses.field(default_factory=dict)
    same_origin: bool = False
    # The `iss` of authorization responses: a function of the issuer, or None.
    iss: object = None
    # The response to a registration, changed from an echo of the request; None: registration is not supported.
    registered: dict | None = dataclasses.field(default_factory=dict)
    # What a method of MCP needs; methods that are not listed need the default. None: no token.
    needs: dict = dataclasses.field(default_factory=dict)
    granted: str | None = None
    # Access tokens are accepted this often; the refresh token is rotated.
    uses: int | None = None
    # After the first accepted token, the resource names the second authorization server.
    migrates: bool = False
    # The assertion that the first server accepts as a grant: the one that the scenario wrote, or the second server's.
    assertion: str | None = None
    # The client that identity assertions are for.
    exchanged_for: str | None = None


def unsigned_token(head, claims):
    """A token whose signature only its audience could check."""
    parts = [json.dumps(part).encode() for part in ({"alg": "ES256", **head}, claims)] + [b"signature"]
    return ".".join(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts)


class Request:
    def __init__(self, handler):
        url = urlsplit(handler.path)
        self.path, self.query = url.path, dict(parse_qsl(url.query))
        self.fields = {name.lower(): value for name, value in handler.headers.items()}
        self.body = handler.rfile.read(int(self.fields.get("content-length", 0))).decode()
        self.form = dict(parse_qsl(self.body))


class Listener(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass  # a proxy that has ended


class Host:
    """Listens at a port of loopback; `answer` maps a request to status, fields and a document."""

    def __init__(self, answer):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                status, fields, document = answer(self.command, Request(self))
                text = b"" if document is None else json.dumps(document).encode()
                self.send_response(status)
                for name, value in {"Content-Type": "application/json", "Content-Length": str(len(text)), **fields}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text)

            do_POST = do_DELETE = do_GET

            def log_message(self, *_):
                pass

        self.server = Listener(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class AuthorizationServer:
    """Records registrations, authorization requests and token requests."""

    def __init__(self, world, name):
        self.world, self.name, self.host = world, name, None
        self.paths, self.registrations, self.authorizations, self.token_requests = [], [], [], []
        self.codes, self.refresh_tokens, self.problems = {}, {}, []

    def listen(self):
        self.host = Host(self.answer)

    @property
    def origin(self):
        return self.host.origin

    @property
    def issuer(self):
        return self.origin + self.world.setting.prefix

    def metadata(self):
        base = self.issuer
        document = {
            "issuer": base, "authorization_endpoint": f"{base}/authorize", "token_endpoint": f"{base}/token",
            "response_types_supported": ["code"], "grant_types_supported": ["authorization_code", "refresh_token"],
            "code_challenge_methods_supported": ["S256"], "token_endpoint_auth_methods_supported": ["none"],
        }
        if self.world.setting.registered is not None:
            document["registration_endpoint"] = f"{base}/register"
        if WELL_KNOWN_OPENID in (self.world.setting.server_metadata or ""):
            document |= {
                "jwks_uri": f"{base}/keys", "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["RS256"]}
        return {name: value for name, value in {**document, **self.world.setting.members}.items() if value is not None}

    def answer(self, method, request):
        with self.world.lock:
            self.paths.append(request.path)
            setting = self.world.setting
            endpoint = request.path.removeprefix(setting.prefix)
            if method == "GET" and request.path == setting.server_metadata:
                return 200, {}, self.metadata()
            actions = {("GET", "/authorize"): self.authorize, ("POST", "/token"): self.token}
            if setting.registered is not None:
                actions["POST", "/register"] = self.register
            action = actions.get((method, endpoint))
            return action(request) if action else (404, {}, {"error": "not_found"})

    def register(self, request):
        wanted = json.loads(request.body)
        self.registrations.append(wanted)
        response = {
            "token_endpoint_auth_method": "none", **wanted, "client_id": f"{self.name}-client-{len(self.registrations)}",
            **self.world.setting.registered}
        return 201, {}, {name: value for name, value in response.items() if value is not None}

    def authorize(self, request):
        query = request.query
        self.authorizations.append(query)
        if query.get("code_challenge_method") != "S256" or query.get("response_type") != "code":
            self.problems.append(f"no PKCE, or not a code: {query}")
        code = f"code-{len(self.authorizations)}"
        self.codes[code] = query
        back = {"code": code, "state": query.get("state", "")}
        if self.world.setting.iss:
            back["iss"] = self.world.setting.iss(self.issuer)
        return 302, {"Location": f"{query['redirect_uri']}?{urlencode(back)}"}, None

    def token(self, request):
        form, authorization = request.form, request.fields.get("authorization", "")
        method = "post" if "client_secret" in form else "jwt" if "client_assertion" in form else "none"
        client, secret = form.get("client_id"), form.get("client_secret")
        if authorization.startswith("Basic "):
            method = "basic"
            client, _, secret = map(unquote, base64.b64decode(authorization[6:]).decode().partition(":"))
        self.token_requests.append({"method": method, "client": client, "secret": secret, "form": form})
        grant, scope = form.get("grant_type"), form.get("scope")
        if grant == "authorization_code":
            started = self.codes.pop(form.get("code"), None)
            challenge = base64.urlsafe_b64encode(hashlib.sha256(form.get("code_verifier", "").encode()).digest()).rstrip(b"=").decode()
            if started is None or started["code_challenge"] != challenge or started["redirect_uri"] != form.get("redirect_uri"):
                return 400, {}, {"error": "invalid_grant"}
            if form.get("resource") != started.get("resource"):
                self.problems.append(f"resource {started.get('resource')} for the page, and {form.get('resource')} for the token")
            scope = started.get("scope")
        elif grant == "refresh_token":
            if form.get("refresh_token") not in self.refresh_tokens:
                self.problems.append("a refresh token was sent twice")
                return 400, {}, {"error": "invalid_grant"}
            scope = self.refresh_tokens.pop(form["refresh_token"])
        elif grant == EXCHANGE:
            return self.exchange(form)
        elif grant == ASSERTION and form.get("assertion") != self.world.setting.assertion:
            return 400, {}, {"error": "invalid_grant"}
        return 200, {}, self.issue(scope)

    def exchange(self, form):
        """Issues an identity assertion for another server (RFC 8693)."""
        audience, resource = form.get("audience"), form.get("resource")
        if form.get("requested_token_type") != IDENTITY_ASSERTION or form.get("subject_token") != USER or form.get("subject_token_type") != ID_TOKEN:
            self.problems.append(f"the exchange of {form}")
            return 400, {}, {"error": "invalid_request"}
        self.world.setting.assertion = unsigned_token({"typ": "oauth-id-jag+jwt"}, {
            "iss": self.issuer, "sub": "user", "aud": audience, "client_id": self.world.setting.exchanged_for, "resource": resource,
            "jti": "1", "iat": int(time.time()), "exp": int(time.time()) + 300})
        return 200, {}, {
            "issued_token_type": IDENTITY_ASSERTION, "access_token": self.world.setting.assertion, "token_type": "N_A", "expires_in": 300}

    def issue(self, scope):
        number, granted = next(self.world.numbers), self.world.setting.granted or scope or ""
        token = f"{self.name}-token-{number}"
        self.world.tokens[token] = {"scope": set(granted.split()), "uses": 0, "server": self}
        response = {"access_token": token, "token_type": "Bearer", "expires_in": 3600}
        if granted:
            response["scope"] = granted
        if self.world.setting.uses:
            response["refresh_token"] = f"{self.name}-refresh-{number}"
            self.refresh_tokens[response["refresh_token"]] = granted
        return response


class World:
    """The servers of one scenario."""

    def __init__(self, setting):
        self.setting, self.lock, self.numbers = setting, threading.RLock(), itertools.count(1)
        self.tokens, self.paths, self.methods, self.problems, self.challenges = {}, [], [], [], 0
        self.first, self.second = AuthorizationServer(self, "first"), AuthorizationServer(self, "second")
        self.current = self.first
        self.host = Host(self.answer)
        for server in (self.first, self.second):
            if setting.same_origin:
                server.host = self.host
            else:
                server.listen()
        self.url = f"{self.host.origin}/mcp"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for host in {self.host, self.first.host, self.second.host}:
            host.close()

    @property
    def resource(self):
        if self.setting.resource:
            return self.setting.resource
        return self.host.origin if self.setting.metadata == WELL_KNOWN_RESOURCE else self.url

    def challenge(self, status, error, scope):
        self.challenges += 1
        parameters = [f'error="{error}"']
        if scope:
            parameters.append(f'scope="{scope}"')
        if self.setting.named and self.setting.metadata:
            parameters.append(f'resource_metadata="{self.host.origin}{self.setting.metadata}"')
        return status, {"WWW-Authenticate": f"Bearer {', '.join(parameters)}"}, {"error": error}

    def answer(self, method, request):
        with self.lock:
            if request.path != "/mcp":
                if method == "GET" and request.path == self.setting.metadata:
                    self.paths.append(request.path)
                    document = {"resource": self.resource, "authorization_servers": [self.current.issuer]}
                    if self.setting.scopes is not None:
                        document["scopes_supported"] = self.setting.scopes
                    return 200, {}, document
                self.paths.append(request.path)
                return self.first.answer(method, request) if self.setting.same_origin else (404, {}, {"error": "not_found"})
            if method != "POST":
                return self.setting.get_status, {"Allow": "POST"}, {"error": "only POST"}
            message = json.loads(request.body)
            self.methods.append(message["method"])
            return self.guarded(message, request) or self.result(message)

    def guarded(self, message, request):
        """Returns the response to a message that needs another token."""
        needed = self.setting.needs.get(message["method"], self.setting.needs.get("*", self.setting.scope or ""))
        if needed is None:
            return None
        if "token" in "".join(request.query):
            self.problems.append(f"a token in the query: {request.query}")
        kind, _, text = request.fields.get("authorization", "").partition(" ")
        token = self.tokens.get(text) if kind == "Bearer" else None
        if token is None or token["server"] is not self.current or (self.setting.uses and token["uses"] >= self.setting.uses):
            return self.challenge(401, "invalid_token", self.setting.scope)
        if not set(needed.split()) <= token["scope"]:
            return self.challenge(403, "insufficient_scope", needed)
        token["uses"] += 1
        if self.setting.migrates:
            self.current = self.second
        return None

    @staticmethod
    def result(message):
        if "id" not in message:
            return 202, {}, None
        results = {
            "initialize": {
                "protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "scenario", "version": "1"}},
            "tools/list": {"tools": [{"name": "test", "inputSchema": {"type": "object"}}]},
            "tools/call": {"content": [{"type": "text", "text": "done"}]},
        }
        return 200, {}, {"jsonrpc": "2.0", "id": message["id"], "result": results[message["method"]]}
