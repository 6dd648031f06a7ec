"""Two servers on two hosts of this machine, one of them honest, and the tool between them."""
import http.server
import itertools
import json
import os
import sys
import threading
import urllib.parse

from outside import Home, Report, expect, succeed

SECRET = "canary-key"
labels = itertools.count(1)

# What a browser does if its user is already signed in: it follows redirects.
BROWSER = """#!{python}
import sys, urllib.error, urllib.request
try:
    urllib.request.urlopen(sys.argv[1], timeout=60).read()
except urllib.error.URLError:
    pass
"""


class Server:
    """A host: its responses by path, and the requests it received. Plain metadata for any path of an issuer."""

    def __init__(self, address):
        self.asked, self.answers, self.redirect_paths = [], {}, ("/callback",)
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
                url = urllib.parse.urlsplit(self.path)
                server.asked.append((url.path, dict(self.headers), body))
                answer = server.answers.get(url.path, (404, {}, {}))
                if callable(answer):
                    answer = answer(dict(urllib.parse.parse_qsl(url.query)), dict(urllib.parse.parse_qsl(body)))
                status, fields, document = answer
                text = json.dumps(document).encode()
                self.send_response(status)
                for name, value in dict({"Content-Type": "application/json", "Content-Length": str(len(text))}, **fields).items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = answer

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer((address, 0), Handler)
        self.server.daemon_threads = True
        self.origin = f"http://{address}:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def paths(self):
        return [path for path, _, _ in self.asked]

    def publish(self, name, places=("oauth",), **members):
        """Returns the metadata of the issuer `/name`, at its well-known URLs."""
        issuer = f"{self.origin}/{name}"
        document = {
            "issuer": issuer, "authorization_endpoint": f"{issuer}/authorize", "token_endpoint": f"{issuer}/token",
            "code_challenge_methods_supported": ["S256"], **members,
        }
        document = {member: value for member, value in document.items() if value is not None}
        paths = {"oauth": f"/.well-known/oauth-authorization-server/{name}", "openid": f"/{name}/.well-known/openid-configuration"}
        for place in places:
            self.answers[paths[place]] = (200, {}, document)
        self.answers[f"/{name}/authorize"] = self.approve
        self.answers[f"/{name}/token"] = (200, {}, {"access_token": "access", "token_type": "Bearer", "expires_in": 3600})
        return issuer

    def approve(self, query, _):
        """An honest server that matches registered redirect paths as prefixes, and sends no `iss`."""
        redirect = query.get("redirect_uri", "")
        if not urllib.parse.urlsplit(redirect).path.startswith(self.redirect_paths):
            return 400, {}, {"error": "invalid_request"}
        return 302, {"Location": f"{redirect}?{urllib.parse.urlencode({'code': 'honest-code', 'state': query.get('state', '')})}"}, {}


class Case:
    def __init__(self, home, honest, other):
        self.home, self.honest, self.other = home, honest, other
        self.browser = home.write("browser", BROWSER.format(python=sys.executable))
        os.chmod(self.browser, 0o700)

    def login(self, issuer, *arguments, client="client"):
        for server in (self.honest, self.other):
            server.asked.clear()
        own = ("--client-id", client) if client else ()
        browser = () if "device" in arguments else ("--browser", self.browser)
        return self.home.run("login", issuer, "--allow-insecure-loopback", *own, *browser, "--as", f"case-{next(labels)}", *arguments)

    def run(self, *arguments):
        return self.home.run(*arguments)

    def mix_up(self):
        issuer = self.other.publish("mix-up", authorization_endpoint=f"{self.honest.origin}/plain/authorize")
        refused = self.login(issuer)
        expect(refused.returncode == 7 and "--token-endpoint URL" in refused.stderr, refused.stderr)
        expect(not self.honest.asked, f"the browser was led to the honest server: {self.honest.paths()}")
        expect("/mix-up/token" not in self.other.paths(), "the malicious server got the honest server's code")

    def endpoint_by_hand(self):
        issuer = self.other.origin + "/mix-up"
        succeed(self.login(issuer, "--token-endpoint", f"{issuer}/token", "--as", "by-hand"))

    def registered(self):
        """The malicious issuer issues the client ID and the redirect URI that it has registered at the honest server."""
        issuer = self.other.publish(
            "registers", authorization_endpoint=f"{self.honest.origin}/plain/authorize",
            registration_endpoint=f"{self.other.origin}/registers/register")
        issued = []

        def register(_, __):
            issued.append(json.loads(self.other.asked[-1][2]))
            return 201, {}, dict(issued[-1], client_id="client")

        self.other.answers["/registers/register"] = register
        succeed(self.run("client", "register", issuer, "--allow-insecure-loopback"))
        path = urllib.parse.urlsplit(issued[0]["redirect_uris"][0]).path
        expect(path.count("/") == 2 and path.endswith("/callback") and len(path) > 30, path)
        self.honest.redirect_paths += (path,)
        refused = self.login(issuer, client=None)
        expect(refused.returncode == 7 and "--token-endpoint URL" in refused.stderr, f"{refused.returncode}: {refused.stderr}")
        expect(not self.honest.asked, f"the browser was led to the honest server: {self.honest.paths()}")
        expect("/registers/token" not in self.other.paths(), "the malicious server got the honest server's code")

    def no_method(self):
        issuer = self.honest.publish("assertions", token_endpoint_auth_methods_supported=["private_key_jwt"])
        secret = self.home.write("secret", "secret")
        for more in ((), ("--client-secret-file", secret)):
            refused = self.login(issuer, *more)
            expect(refused.returncode == 1 and "private_key_jwt" in refused.stderr, refused.stderr)
            expect("/assertions/authorize" not in self.honest.paths(), "the browser was opened")

    def changed_metadata(self):
        """The issuer names the honest server's endpoints until the user has signed in there, and then its own."""
        name = "turncoat"
        honest = f"{self.honest.origin}/plain"
        names = ["authorization", "token", "userinfo", "revocation", "introspection"]
        theirs = {f"{endpoint}_endpoint": f"{honest}/{endpoint.replace('authorization', 'authorize')}" for endpoint in names}
        mine = {f"{endpoint}_endpoint": f"{self.other.origin}/{name}/{endpoint}" for endpoint in names}
        tokens = {"access_token": "canary-access", "refresh_token": "canary-refresh", "token_type": "Bearer", "expires_in": 3600}
        self.honest.answers["/plain/token"] = (200, {}, tokens)
        device = {"device_authorization_endpoint": f"{honest}/device"}
        self.honest.answers["/plain/device"] = (
            200, {}, {"device_code": "d", "user_code": "AB", "verification_uri": f"{honest}/enter", "expires_in": 60, "interval": 1})
        for flow, changes in [("browser", [change]) for change in names[1:]] + [("browser", names), ("device", names)]:
            label = f"{flow}-{'-'.join(changes)}"
            issuer = self.other.publish(name, **theirs, **device)
            succeed(self.login(issuer, "--flow", flow, "--as", label))
            self.other.publish(name, **{**theirs, **device, **{f"{change}_endpoint": mine[f"{change}_endpoint"] for change in changes}})
            for change in names:
                self.other.answers[f"/{name}/{change}"] = (200, {}, {**tokens, "sub": "attacker", "active": True})
            for command in (["whoami"], ["introspect"], ["request", "GET", f"{self.other.origin}/{name}/api"], ["refresh"], ["logout"]):
                ended = self.run(*command, "--as", label)
                if command[0] in ("refresh", "introspect") and {"refresh": "token"}.get(command[0], "introspection") in changes:
                    expect(ended.returncode == 7 and "sign in again" in ended.stderr, f"{label} {command}: {ended.returncode} {ended.stderr}")
            expect("canary" not in repr(self.other.asked), f"{label}: {self.other.asked}")

    def device_of_two(self):
        """A device flow at the honest server, and an endpoint that would direct its tokens elsewhere, whatever is promised."""
        honest = f"{self.honest.origin}/plain"
        for endpoint in ("userinfo", "revocation", "introspection"):
            issuer = self.other.publish(
                "device", authorization_endpoint=f"{honest}/authorize", token_endpoint=f"{honest}/token",
                device_authorization_endpoint=f"{honest}/device", authorization_response_iss_parameter_supported=True,
                **{f"{endpoint}_endpoint": f"{self.other.origin}/device/{endpoint}"})
            refused = self.login(issuer, "--flow", "device")
            expect(refused.returncode == 7 and "--token-endpoint URL" in refused.stderr, f"{endpoint}: {refused.stderr}")
            expect(not self.honest.asked, f"{endpoint}: {self.honest.paths()}")

    def foreign_user(self):
        issuer = self.honest.publish("user", userinfo_endpoint=f"{self.honest.origin}/user/me")
        succeed(self.login(issuer, "--as", "user"))
        self.honest.answers["/user/me"] = (302, {"Location": f"{self.other.origin}/attacker"}, {})
        self.other.answers["/attacker"] = (200, {}, {"sub": "attacker"})
        shown = self.run("whoami", "--as", "user")
        expect(shown.returncode == 1 and "another origin" in shown.stderr, f"{shown.stdout} {shown.stderr}")
        expect("attacker" not in shown.stdout + shown.stderr, shown.stdout)
        expect("/attacker" not in self.other.paths(), "the foreign server was asked")

    def fields_and_bodies(self):
        self.other.answers["/landing"] = (200, {}, {})
        for status in (301, 302, 303, 307, 308):
            self.honest.answers["/away"] = (status, {"Location": f"{self.other.origin}/landing"}, {})
            self.other.asked.clear()
            succeed(self.run("request", "GET", f"{self.honest.origin}/away", "-H", f"X-Api-Key: {SECRET}", "-H", "Accept: a/b", "--as", "user"))
            (_, fields, _), = self.other.asked
            expect(SECRET not in fields.values() and "Authorization" not in fields, f"{status}: {fields}")
            expect(fields.get("Accept") == "a/b", f"{status}: {fields}")
            self.other.asked.clear()
            sent = self.run("request", "POST", f"{self.honest.origin}/away", "-d", SECRET, "--as", "user")
            if status in (307, 308):
                expect(sent.returncode == 1 and "another origin" in sent.stderr, sent.stderr)
                expect(not self.other.asked, f"{status}: {self.other.asked}")
            else:
                expect(SECRET not in self.other.asked[0][2], f"{status}: {self.other.asked}")

    def portal(self):
        issuer = self.honest.publish("portal", places=("openid",))
        for path in ("/.well-known/oauth-authorization-server/portal", "/.well-known/openid-configuration/portal"):
            self.honest.answers[path] = (401, {"WWW-Authenticate": "Bearer"}, {})
        succeed(self.login(issuer, "--as", "portal"))
        del self.honest.answers["/portal/.well-known/openid-configuration"]
        refused = self.login(issuer, "--as", "nothing")
        expect(refused.returncode == 1 and refused.stderr.count(": 401") == 2 and ": 404" in refused.stderr, refused.stderr)

    def two_documents(self):
        issuer = f"{self.honest.origin}/two"
        self.honest.publish(
            "two", places=("openid",), userinfo_endpoint=f"{issuer}/me", revocation_endpoint=f"{issuer}/wrong", scopes_supported=["a"])
        self.honest.publish("two", revocation_endpoint=f"{issuer}/revoke")
        self.honest.answers["/two/me"] = (200, {}, {"sub": "somebody"})
        self.honest.answers["/two/revoke"] = (200, {}, {})
        succeed(self.login(issuer, "--as", "two", "--scope", "a"))
        openid = "/two/.well-known/openid-configuration"
        expect(openid not in self.honest.paths(), "a second document was read, though nothing was missing")
        expect("somebody" in succeed(self.run("whoami", "--as", "two")).stdout, "not the user of the second document's endpoint")
        expect(openid in self.honest.paths(), "the second document was not read")
        shown = succeed(self.run("discover", issuer, "--allow-insecure-loopback"))
        expect("userinfo_endpoint" in shown.stdout and f"{issuer}/revoke" in shown.stdout, shown.stdout)
        expect("revocation_endpoint differs between the documents" in shown.stderr, shown.stderr)
        self.honest.asked.clear()
        succeed(self.run("logout", "--as", "two"))
        expect("/two/revoke" in self.honest.paths() and openid not in self.honest.paths(), f"{self.honest.paths()}")


def prove():
    report = Report()
    try:
        honest, other = Server("127.0.0.1"), Server("127.0.0.2")
    except OSError as error:
        report.skip("misleading servers", f"127.0.0.2 is not this machine here ({error})")
        report.end()
    with Home() as home:
        honest.publish("plain")
        case = Case(home, honest, other)
        report.check("DD25 metadata that names another server's authorization endpoint: no page, no code", case.mix_up)
        report.check("DD25 an endpoint that the user configures is accepted", case.endpoint_by_hand)
        report.check("DD28 metadata that names other endpoints after the sign-in: they get no token", case.changed_metadata)
        report.check("DD25 a device sign-in with endpoints at two servers: no device code", case.device_of_two)
        report.check("DD25 RQ12 an issuer that has registered its redirect path at another server: no page, no code", case.registered)
        report.check("DD11 no supported method of client authentication: no page", case.no_method)
        report.check("RS14 UserInfo that redirects to another server: no request is sent there", case.foreign_user)
        report.check("RS07 RS13 fields and bodies of a request are not sent to another origin", case.fields_and_bodies)
        report.check("DD06 401 at one metadata URL: the next is requested, and the error names all of them", case.portal)
        report.check("DD26 two documents complete each other, the second read only if needed", case.two_documents)
    report.end()
