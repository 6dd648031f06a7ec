"""Scenarios of authorization for MCP, as a table: what the servers say, and what the client must do or must not do."""
import base64
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import threading
import time

from mcp_scenario_server import (
    ASSERTION, EVIL, EXCHANGE, USER, WELL_KNOWN_OPENID, WELL_KNOWN_RESOURCE, WELL_KNOWN_SERVER, Setting, World, unsigned_token)
from misleading_servers import BROWSER
from outside import AUTHHUB, PATIENCE, Home, Report, expect, succeed, wait_for_file

LOOPBACK = "--allow-insecure-loopback"
CLIENT, SECRET = "scenario-client", "scenario-secret"
# Tells when the response has been delivered: a sign-in that has rejected it may wait for another one.
DELIVERING = BROWSER + "\nopen(sys.argv[0] + '.done', 'w').close()\n"
BEGINNING = [
    {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "scenarios", "version": "1"}}},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
]
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
CALL = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "test", "arguments": {}}}


@dataclasses.dataclass
class Scenario:
    description: str
    setting: Setting
    check: object = None
    # The options of login, as a function of the run; the proxy needs the same login first if it has no such option.
    login: object = None
    before_proxy: bool = False
    # The ways in which one message fails with the login to type, after which it is sent again.
    advised: tuple = ()
    # The sign-in must fail: before the page, or before the token.
    refused: str = ""
    # The last message is not answered with a result.
    gives_up: bool = False


class Run:
    """One scenario with a new home folder and new servers."""

    def __init__(self, scenario):
        self.scenario, self.home = scenario, Home()
        self.home.environment["AUTHHUB_STORE"] = os.path.join(self.home.path, "store")
        self.browser = self.home.write("browser", DELIVERING.format(python=sys.executable))
        self.advice = []
        os.chmod(self.browser, 0o700)
        # The tool and the proxy run at the same time.
        self.world = World(dataclasses.replace(scenario.setting))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.world.__exit__()
        self.home.__exit__()

    @property
    def page(self):
        return [LOOPBACK, "--browser", self.browser, "--timeout", str(PATIENCE)]

    def login(self):
        options = self.scenario.login(self) if self.scenario.login else []
        page = [LOOPBACK] if {"client-credentials", "jwt-bearer", "id-jag"} & set(options) else self.page
        return self.home.run("login", self.world.url, *page, *options, timeout=2 * PATIENCE)

    def take(self, advice):
        """Runs the login that an error names."""
        command = re.search(r'authhub (login [^"\n;,]+)', advice)
        expect(command, f"no login is suggested: {advice[-500:]}")
        self.advice.append(command[1])
        succeed(self.home.run(*shlex.split(command[1]), *self.page[1:], timeout=2 * PATIENCE))

    def end_rejected(self):
        """Interrupts a sign-in once its page has delivered the response."""
        wait_for_file(self.browser + ".done", PATIENCE)
        for process in self.home.processes():
            try:
                words = pathlib.Path("/proc", str(process), "cmdline").read_text().split("\0")
                if words[0] == AUTHHUB and (words[1] == "login" or any(word.startswith("--sign-in-at") for word in words)):
                    os.kill(process, signal.SIGINT)
            except (OSError, IndexError):
                continue  # it has ended

    def secret_file(self):
        return self.home.write("secret", SECRET)

    # Login and request

    def with_tool(self):
        # Without a token, only the message that needs one brings a challenge.
        if self.world.setting.needs.get("initialize", "") is not None:
            if self.scenario.refused == "token":
                threading.Thread(target=self.end_rejected, daemon=True).start()
            signed_in = self.login()
            if self.scenario.refused:
                expect(signed_in.returncode != 0, "login succeeded")
                return self.check_refusal(signed_in.stderr)
            succeed(signed_in)
        calls = [CALL] if self.scenario.gives_up else [CALL, CALL]
        ends = [self.request(message) for message in (*BEGINNING, LIST, *calls)]
        self.check_success(all(end.returncode == 0 for end in ends), " ".join(end.stderr for end in ends))

    def request(self, message):
        ended = self.send(message)
        if ended.returncode == 0 or "tool" not in self.scenario.advised or self.advice:
            return ended
        self.take(ended.stderr)
        return self.send(message)

    def send(self, message):
        # request has no option for the browser; without a page, the variable names it.
        return self.home.run(
            "request", self.world.url, LOOPBACK, "--sign-in", "-H", "Accept: application/json, text/event-stream",
            "--json", json.dumps(message), environment=dict(self.home.environment, BROWSER=self.browser), timeout=2 * PATIENCE)

    # The proxy

    def with_proxy(self):
        if self.scenario.before_proxy:
            succeed(self.login())
        proxy = subprocess.Popen(
            [AUTHHUB, "mcp", "proxy", self.world.url, *self.page], env=self.home.environment, cwd=self.home.path,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if self.scenario.refused == "token":
            threading.Thread(target=self.end_rejected, daemon=True).start()
        watch = threading.Timer(2 * PATIENCE, proxy.kill)
        watch.start()
        errors = []
        reader = threading.Thread(target=lambda: errors.append(proxy.stderr.read()))
        reader.start()
        messages = BEGINNING if self.scenario.refused else [*BEGINNING, LIST, CALL, *([] if self.scenario.gives_up else [CALL | {"id": 3}])]
        answers = []
        try:
            # Hosts send the next message when they have the answer.
            for message in messages:
                answer = self.answer(proxy, message)
                if answer and "error" in answer and "proxy" in self.scenario.advised and not self.advice:
                    self.take(answer["error"]["message"])
                    answer = self.answer(proxy, message)
                if answer:
                    answers.append(answer)
            proxy.stdin.close()
            expect(not proxy.stdout.read(), "the host got another answer")
        finally:
            watch.cancel()
            proxy.kill()
            proxy.wait()
            reader.join()
        text = f"{errors[0][-500:]} {answers}"
        if self.scenario.refused:
            expect(len(answers) == 1 and "error" in answers[0], f"the host got {text}")
            return self.check_refusal(text)
        self.check_success(all("result" in answer for answer in answers), text)

    @staticmethod
    def answer(proxy, message):
        proxy.stdin.write(json.dumps(message) + "\n")
        proxy.stdin.flush()
        if "id" not in message:
            return None
        line = proxy.stdout.readline()
        expect(line, f"the proxy ended without the answer to {message['method']}")
        answer = json.loads(line)
        expect(answer.get("id") == message["id"], f"{answer} is not the answer to {message['method']}")
        return answer

    # What holds in every scenario

    def check_refusal(self, text):
        servers = (self.world.first, self.world.second)
        if self.scenario.refused == "page":
            expect(not any(server.authorizations for server in servers), "the page was opened")
        else:
            expect(any(server.authorizations for server in servers), f"the page was not opened: {text[-400:]}")
        expect(not any(server.token_requests for server in servers), "a token was requested")

    def check_success(self, answered, text):
        world = self.world
        problems = world.problems + world.first.problems + world.second.problems
        expect(not problems, f"{problems}")
        expect(answered != self.scenario.gives_up, f"{'answered' if answered else 'not answered'}: {text[-700:]}")
        for server in (world.first, world.second):
            for request in [*server.authorizations, *(token["form"] for token in server.token_requests)]:
                wanted = world.resource if world.setting.metadata else request.get("resource")
                expect(request.get("resource") == wanted, f"the resource {request.get('resource')} was named, not {wanted}")
        if self.scenario.check:
            self.scenario.check(self)


# Checks

def metadata_only_at(path):
    """Metadata was only requested from this server's URLs for it, not from a fallback in front of them."""
    def check(run):
        trap = WELL_KNOWN_RESOURCE if path != WELL_KNOWN_RESOURCE else None
        expect(trap not in run.world.paths, f"the root was requested: {run.world.paths}")
        expect(path in run.world.paths, f"{run.world.paths}")
    return check


def issuer_with_path(run):
    expect(WELL_KNOWN_SERVER not in run.world.first.paths, f"the metadata of another issuer was requested: {run.world.first.paths}")


def scopes(*expected):
    """The scopes of the authorization requests, in order; None: without the parameter."""
    def check(run):
        found = [set(query["scope"].split()) if "scope" in query else None for query in run.world.first.authorizations]
        wanted = [None if scope is None else set(scope.split()) for scope in expected]
        expect(found == wanted, f"the scopes {found} were requested instead of {wanted}")
    return check


def gives_up_soon(run):
    expect(2 <= len(run.world.first.authorizations) <= 3, f"{len(run.world.first.authorizations)} sign-ins")


def authenticated(method):
    def check(run):
        found = {request["method"] for request in run.world.first.token_requests}
        expect(found == {method}, f"the client authenticated with {found}")
        expect(len(run.world.first.registrations) == 1, f"{len(run.world.first.registrations)} registrations")
    return check


def own_client(method, grant="authorization_code"):
    def check(run):
        expect(not run.world.first.registrations, "a client was registered")
        for request in run.world.first.token_requests:
            found = (request["method"], request["form"]["grant_type"], request["client"])
            expect(found in ((method, grant, CLIENT), ("jwt", grant, None)), f"the token request {found}")
            expect(request["secret"] in (None, SECRET), "another secret")
    return check


def exchanged(run):
    own_client("basic", ASSERTION)(run)
    exchanges = run.world.second.token_requests
    expect([request["form"]["grant_type"] for request in exchanges] == [EXCHANGE] * len(run.world.first.token_requests), f"{exchanges}")
    for request in exchanges:
        expect(request["client"] == "organization" and request["secret"] == "organization-secret", f"{request}")
        expect(request["form"]["audience"] == run.world.first.issuer, f"{request}")


def asserted(run):
    own_client("jwt", "client_credentials")(run)
    for request in run.world.first.token_requests:
        form = request["form"]
        head, claims = (decoded(part) for part in form["client_assertion"].split(".")[:2])
        expect(form["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer", f"{form}")
        expect(head["alg"] == "ES256" and claims["iss"] == claims["sub"] == CLIENT, f"{head} {claims}")
        expect(claims["aud"] in (run.world.first.issuer, [run.world.first.issuer]), f"the audience {claims['aud']}")


def decoded(part):
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def with_document(run):
    expect(not run.world.first.registrations, "a client was registered")
    found = {query["client_id"] for query in run.world.first.authorizations}
    expect(found == {run.world.host.origin + "/client.json"}, f"the client {found}")


def refreshes(run):
    grants = [request["form"]["grant_type"] for request in run.world.first.token_requests]
    # Of five messages, all but the first find a token that is used up.
    expect(grants == ["authorization_code"] + 4 * ["refresh_token"], f"{grants}")


def offline(run):
    scopes("mcp:basic offline_access")(run)
    expect("refresh_token" in run.world.first.registrations[0]["grant_types"], f"{run.world.first.registrations}")


def migrated(run):
    first, second = run.world.first, run.world.second
    expect(len(second.registrations) == 1, f"{len(second.registrations)} registrations at the second server")
    seen = {query["client_id"] for query in second.authorizations} | {request["client"] for request in second.token_requests}
    expect(seen == {"second-client-1"}, f"the second server saw {seen}")
    expect(len(first.registrations) == 1, f"{len(first.registrations)} registrations at the first server")


# Options

def client(*more):
    return lambda run: ["--client-id", CLIENT, "--client-secret-file", run.secret_file(), "--issuer", run.world.first.issuer, *more]


def key(run):
    path = os.path.join(run.home.path, "key.pem")
    subprocess.run(
        ["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", path], check=True, capture_output=True,
        stdin=subprocess.DEVNULL)
    os.chmod(path, 0o600)
    return ["--client-id", CLIENT, "--private-key-file", path, "--issuer", run.world.first.issuer, "--flow", "client-credentials"]


def platform(run):
    issuer, now = run.world.first.issuer, int(time.time())
    run.world.setting.assertion = unsigned_token({}, {"iss": EVIL, "sub": CLIENT, "aud": issuer, "iat": now, "exp": now + 3600})
    return client("--flow", "jwt-bearer", "--assertion-file", run.home.write("assertion", run.world.setting.assertion))(run)


def organization(run):
    return client(
        "--flow", "id-jag", "--identity-provider", run.world.second.issuer, "--identity-client-id", "organization",
        "--identity-client-secret-file", run.home.write("identity-secret", "organization-secret"),
        "--id-token-file", run.home.write("id-token", USER))(run)


def server(**members):
    return members


SECRET_REGISTERED = {"client_secret": SECRET}
WITHOUT_METHOD = {"token_endpoint_auth_method": None}
STEPS = {"initialize": None, "notifications/initialized": None, "tools/list": "mcp:basic", "tools/call": "mcp:basic mcp:write"}

SCENARIOS = [
    Scenario("metadata at its path, named by the challenge", Setting(), metadata_only_at(WELL_KNOWN_RESOURCE + "/mcp")),
    Scenario("metadata at its path, GET is answered with 405", Setting(get_status=405), metadata_only_at(WELL_KNOWN_RESOURCE + "/mcp")),
    Scenario(
        "metadata at its path, not named; the server has only an OpenID document",
        Setting(named=False, server_metadata=WELL_KNOWN_OPENID), metadata_only_at(WELL_KNOWN_RESOURCE + "/mcp")),
    Scenario(
        "metadata at the root, not named; the issuer has a path",
        Setting(named=False, metadata=WELL_KNOWN_RESOURCE, prefix="/tenant1", server_metadata=WELL_KNOWN_SERVER + "/tenant1"),
        issuer_with_path),
    Scenario(
        "metadata at a custom URL; the issuer has a path, and only an OpenID document below it",
        Setting(metadata="/custom/metadata/location.json", prefix="/tenant1", server_metadata="/tenant1" + WELL_KNOWN_OPENID),
        issuer_with_path),
    Scenario(
        "2025-03-26: no resource metadata, server metadata at the root",
        Setting(metadata=None, same_origin=True, members=server(token_endpoint_auth_methods_supported=None)),
        login=lambda _: ["--without-resource-metadata"], advised=("proxy",)),
    Scenario(
        "2025-03-26: no metadata at all, the default endpoints",
        Setting(
            metadata=None, same_origin=True, server_metadata=None,
            registered={"token_endpoint_auth_method": None, "client_secret": SECRET}),
        login=lambda _: ["--without-resource-metadata"], advised=("proxy",)),
    Scenario("the challenge's scope", Setting(scope="mcp:basic", scopes=["mcp:basic", "mcp:more"]), scopes("mcp:basic")),
    Scenario(
        "all scopes of the metadata, if the challenge has none",
        Setting(scopes=["mcp:basic", "mcp:read", "mcp:write"]), scopes("mcp:basic mcp:read mcp:write")),
    Scenario("no scope, if neither the challenge nor the metadata has one", Setting(), scopes(None)),
    Scenario(
        "step-up: a call needs more scope than the list",
        Setting(scope="mcp:basic", scopes=["mcp:basic", "mcp:write"], needs=STEPS), scopes("mcp:basic", "mcp:basic mcp:write")),
    Scenario(
        "step-up that never suffices ends after a few sign-ins",
        Setting(scope="mcp:basic", needs=STEPS, granted="mcp:basic"), gives_up_soon, gives_up=True),
    *(
        Scenario(
            f"token endpoint: {name}, {answer}",
            Setting(members=server(token_endpoint_auth_methods_supported=[method]), registered=response), authenticated(short))
        for name, short, method, secret in (
            ("Basic", "basic", "client_secret_basic", SECRET_REGISTERED), ("secret in the body", "post", "client_secret_post", SECRET_REGISTERED),
            ("no authentication", "none", "none", {}))
        for answer, response in (
            ("and the registration says so", {"token_endpoint_auth_method": method, **secret}),
            ("and the registration does not name a method", {**WITHOUT_METHOD, **secret}))
    ),
    Scenario(
        "a client metadata document instead of a registration",
        Setting(members=server(client_id_metadata_document_supported=True)), with_document,
        login=lambda run: ["--client-id-document", run.world.host.origin + "/client.json"], before_proxy=True),
    Scenario(
        "a registered client, at a server without registration",
        Setting(registered=None, members=server(token_endpoint_auth_methods_supported=["client_secret_basic"])), own_client("basic"),
        login=client(), before_proxy=True),
    Scenario(
        "client credentials with Basic",
        Setting(members=server(
            grant_types_supported=["client_credentials"], token_endpoint_auth_methods_supported=["client_secret_basic"])),
        own_client("basic", "client_credentials"), login=client("--flow", "client-credentials"), before_proxy=True),
    Scenario(
        "client credentials with a JWT",
        Setting(members=server(
            grant_types_supported=["client_credentials"], token_endpoint_auth_methods_supported=["private_key_jwt"],
            token_endpoint_auth_signing_alg_values_supported=["ES256"])),
        asserted, login=key, before_proxy=True),
    Scenario(
        "a token of the program's platform",
        Setting(members=server(
            grant_types_supported=[ASSERTION], token_endpoint_auth_methods_supported=["client_secret_basic"])),
        own_client("basic", ASSERTION), login=platform, before_proxy=True),
    Scenario(
        "an identity assertion of the user's organization",
        Setting(exchanged_for=CLIENT, members=server(
            grant_types_supported=[ASSERTION, EXCHANGE], token_endpoint_auth_methods_supported=["client_secret_basic"])),
        exchanged, login=organization, before_proxy=True),
    Scenario(
        "offline_access, if the server lists it", Setting(scopes=["mcp:basic"], members=server(scopes_supported=["mcp:basic", "offline_access"])),
        offline),
    Scenario(
        "no offline_access, if the server does not list it",
        Setting(scopes=["mcp:basic"], members=server(scopes_supported=["mcp:basic", "mcp:read"])), scopes("mcp:basic")),
    Scenario("refresh tokens that rotate, and access tokens that are accepted once", Setting(uses=1), refreshes),
    Scenario(
        "another authorization server than before gets a new client, once the user has typed the login",
        Setting(scope="mcp:basic", needs={"initialize": None, "notifications/initialized": None}, migrates=True), migrated,
        advised=("tool", "proxy")),
    Scenario(
        "iss, announced and right",
        Setting(iss=lambda issuer: issuer, members=server(authorization_response_iss_parameter_supported=True))),
    Scenario("iss, not announced and right", Setting(iss=lambda issuer: issuer)),
    Scenario(
        "iss, announced and missing: refused", Setting(members=server(authorization_response_iss_parameter_supported=True)),
        refused="token"),
    Scenario(
        "iss, announced and wrong: refused",
        Setting(iss=lambda _: EVIL, members=server(authorization_response_iss_parameter_supported=True)), refused="token"),
    Scenario("iss, not announced and wrong: refused", Setting(iss=lambda _: EVIL), refused="token"),
    Scenario(
        "iss that is only equal after normalization: refused",
        Setting(iss=lambda issuer: issuer + "/", members=server(authorization_response_iss_parameter_supported=True)), refused="token"),
    Scenario("metadata of another resource: refused", Setting(resource=EVIL + "/mcp"), refused="page"),
    Scenario("metadata of another issuer: refused", Setting(members=server(issuer=EVIL)), refused="page"),
    Scenario("a server that only supports plain PKCE: refused", Setting(members=server(code_challenge_methods_supported=["plain"])), refused="page"),
]


def prove():
    report = Report()
    names = sys.argv[1:]

    def check(scenario, way):
        def action():
            with Run(scenario) as run:
                getattr(run, f"with_{way}")()
                expect(len(run.advice) == (way in scenario.advised), f"the advice {run.advice}")
        report.check(f"MCP authorization with the {way}: {scenario.description}", action)

    chosen = [scenario for scenario in SCENARIOS if not names or any(name in scenario.description for name in names)]
    # They mostly wait for each other's answers.
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for scenario in chosen:
            for way in ("tool", "proxy"):
                pool.submit(check, scenario, way)
    report.end()
