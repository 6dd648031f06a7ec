"""Runs the examples against the development server, with a user who signs in, and compares the lines that they print."""
import http.client
import json
import os
import re
import shutil
import subprocess
import time
from urllib.parse import urlencode, urljoin
from urllib.request import urlopen

from outside import LIBRARY, PATIENCE, ROOT, DevelopmentServer, Home, Report, expect, free_ports, is_free
from simulated_user import SimulatedUser

PROGRAMS = os.environ["EXAMPLES"]
# Each sign-in page is for the next of the users whose files are in the home folder; without one left, no page can be opened.
BROWSER = f"""#!/bin/sh
set -e
next=$(ls "$HOME"/user-* | head -n 1)
mv "$next" "$HOME/user"
PROOF_USER=$HOME/user exec python3 {LIBRARY}/simulated_user.py "$1"
"""


def users(home, server, count):
    for number, user in enumerate(server["users"][:count]):
        home.write(f"user-{number}", f'{{"login": "{user["username"]}", "password": "{user["password"]}"}}')


def enter(line, server):
    """Enters a device's code in a browser elsewhere."""
    url, code = re.fullmatch(r"open (\S+) and enter (\S+)", line).groups()
    user = server["user"]
    browser = SimulatedUser(user["username"], user["password"])
    method, url, form = "GET", f"{url}?user_code={code}", None
    for _ in range(12):
        status, location, body = browser.request(method, url, form)
        if location:
            method, form, url = "GET", None, urljoin(url, location)
        elif "<form" in body:
            method, url, form = browser.answer(url, status, body)
            if method == "GET":
                url, form = f"{url}?{urlencode(form)}", None
        else:
            return
    raise RuntimeError(f"the pages have no end: {browser.pages}")


def printed(name, home, *arguments, standard_input="", server=None):
    """Runs an example, and returns the lines that it prints, without what differs in each run."""
    environment = dict(home.environment, AUTHHUB_BROWSER=os.path.join(home.path, "browser"), DBUS_SESSION_BUS_ADDRESS="disabled:")
    # With buffered lines, as on a terminal.
    process = subprocess.Popen(
        ["timeout", str(PATIENCE), "stdbuf", "-oL", f"{PROGRAMS}/{name}", *arguments], env=environment, cwd=home.path,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stdin.write(standard_input)
    process.stdin.close()
    lines = []
    for line in process.stdout:
        line = line.rstrip("\n")
        if line.startswith("open "):
            enter(line, server)
            line = re.sub(r"enter \S+", "enter CODE", line)
        lines.append(re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:8080", line))
    words = process.stderr.read()
    expect(process.wait() == 0, f"{name} exited with {process.returncode}: {words[-500:]}")
    return lines


def compare(report, name, action):
    expected = (ROOT / "Examples" / name / "expected.txt").read_text().splitlines()
    lines = report.check(f"{name} runs to its end", action) or []
    for number, line in enumerate(expected):
        got = lines[number] if number < len(lines) else None
        if got == line:
            report.ok(f"{name}: {line}")
        else:
            report.fail(f"{name}: line {number + 1}", f"it is {got!r}, not {line!r}")
    if len(lines) > len(expected):
        report.fail(f"{name}: the number of lines", f"{len(lines)} instead of {len(expected)}: {lines[len(expected):]}")


def at_server(report, persona, *names):
    for name in names:
        with Home() as home, DevelopmentServer(home, persona) as server:
            os.chmod(home.write("browser", BROWSER), 0o700)
            users(home, server, 2 if name == "TwoAccounts" else 1)
            secret = server.client("confidential")["client_secret"]
            run = lambda: printed(name, home, server["base"], standard_input=f"{secret}\n", server=server)
            compare(report, name, run)
            if name == "SixLines":
                report.check(f"{name}: the second run shows no page", run)


class Service:
    """An example that listens, from the moment that it accepts connections to its end."""

    def __init__(self, name, home, server):
        self.port = free_ports(1)[0]
        self.base = f"http://127.0.0.1:{self.port}"
        self.process = subprocess.Popen(
            ["timeout", str(PATIENCE), f"{PROGRAMS}/{name}", server["base"], str(self.port)], env=home.environment, cwd=home.path,
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True)
        self.process.stdin.write(server.client("confidential")["client_secret"] + "\n")
        self.process.stdin.close()

    def __enter__(self):
        end = time.monotonic() + PATIENCE
        while is_free(self.port):
            expect(self.process.poll() is None and time.monotonic() < end, "it does not listen")
            time.sleep(0.05)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def web_server(home, server):
    with Service("WebServer", home, server) as service:
        user = server["users"][0]
        user_agent, stranger = SimulatedUser(user["username"], user["password"]), SimulatedUser("", "")
        lines = []
        status, location, _ = user_agent.request("GET", service.base + "/")
        expect((status, location) == (303, "/sign-in"), f"{status} {location}")
        lines.append("a visitor is sent to sign in")
        status, page, _ = user_agent.request("GET", service.base + "/sign-in")
        callback = user_agent.authorize(page)
        lines.append(f"the callback without the cookie: {stranger.request('GET', callback)[0]}")
        status, location, _ = user_agent.request("GET", callback)
        lines.append(f"the callback with the cookie: {status}")
        lines.append(user_agent.request("GET", urljoin(callback, location))[2])
        lines.append(f"the callback a second time: {user_agent.request('GET', callback)[0]}")
        return lines


def protected_api(home, server):
    client = server.client("confidential")

    def token(scope, resource):
        form = {"grant_type": "client_credentials", "scope": scope, "resource": resource,
                "client_id": client["client_id"], "client_secret": client["client_secret"]}
        return json.load(urlopen(server["base"] + "/token", urlencode(form).encode(), PATIENCE))["access_token"]

    with Service("ProtectedAPI", home, server) as service:
        def get(authorization):
            connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=PATIENCE)
            connection.request("GET", "/orders", headers={"Authorization": authorization} if authorization else {})
            answer = connection.getresponse()
            return f"{answer.status} {answer.headers.get('WWW-Authenticate') or answer.read().decode()}"

        api = "https://api.example.com"
        return [
            f"without a token: {get(None)}",
            f"with a token for the API: {get('Bearer ' + token('repo', api))}",
            f"with less access: {get('Bearer ' + token('user', api))}",
            f"with a token for another API: {get('Bearer ' + token('repo', 'https://other.example.com'))}",
            f"with any other text: {get('Bearer text')}",
        ]


def loader_chain():
    environment = dict(os.environ, LOADER_CHAIN=f"{PROGRAMS}/LoaderChain")
    result = subprocess.run(
        [ROOT / "Examples/LoaderChain/try"], env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)
    expect(result.returncode == 0, f"it exited with {result.returncode}: {result.stderr[-500:]}")
    return result.stdout.splitlines()


def main():
    report = Report()
    at_server(report, "oidc", "SixLines", "DeviceFlow", "TwoAccounts", "ClientCredentials", "OwnLoader")
    at_server(report, "github-app", "RepositoryList")
    at_server(report, "mcp", "ModelContextClient")
    for name, action in [("WebServer", web_server), ("ProtectedAPI", protected_api)]:
        with Home() as home, DevelopmentServer(home, "oidc") as server:
            compare(report, name, lambda: action(home, server))
    with Home() as home:
        compare(report, "PeerTransport", lambda: printed("PeerTransport", home))
    if shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin:/usr/local/sbin"):
        compare(report, "LoaderChain", loader_chain)
    else:
        report.skip("LoaderChain", "nginx is not installed")
    report.end()


main()
