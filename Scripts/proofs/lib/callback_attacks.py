"""Attacks on a callback: strangers at the loopback port, and pages that lead to URLs similar to the redirect URI."""
import contextlib
import http.client
import http.server
import json
import socket
import threading
import time
from urllib.parse import parse_qs, urlencode, urlsplit

from outside import PATIENCE, expect
from simulated_user import SimulatedUser, deliver
from web_sign_in import Place, SignIn

SCRIPT = "<script>alert(1)</script>\x1b[31m"
HTTPS = "https://example.com/auth/callback"


def attacks(report, server):
    """Requests to the port, as any program of this machine or any web page can send them."""
    for name, attack in {
        "other requests to the port are rejected, and the right callback is still accepted": strangers,
        "the port is bound only to 127.0.0.1, and no other program can bind it": other_addresses,
        "a script in the server's error does not reach the page, nor an escape sequence the terminal": script_in_description,
        "a code that cannot be exchanged: the page says so": failed_exchange,
        "a response with another issuer: 7, and the page says so": other_issuer,
    }.items():
        report.check(f"attacks: {name}", lambda: run(server, attack))


def run(server, attack):
    with Place() as place:
        sign_in = SignIn(place, server, "--browser", "true")
        url = sign_in.url()
        asked = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
        attack(place, server, sign_in, url, asked)
        place.expect_nothing_left()


def request(port, method="GET", target="/", host=None, address="127.0.0.1"):
    connection = http.client.HTTPConnection(address, port, timeout=PATIENCE)
    with contextlib.closing(connection):
        connection.putrequest(method, target, skip_host=True)
        connection.putheader("Host", host or f"127.0.0.1:{port}")
        connection.endheaders()
        answer = connection.getresponse()
        return answer.status, answer.read().decode("utf-8", "replace")


def strangers(place, server, sign_in, url, asked):
    port, right = urlsplit(asked["redirect_uri"]).port, urlencode({"code": "c", "state": asked["state"], "iss": server["issuer"]})
    for method, target, host in [
        ("GET", "/", None), ("GET", "/favicon.ico", None), ("GET", "/callback", None), ("GET", "/callback?code=c&state=wrong", None),
        ("GET", "/callback?error=access_denied", None), ("GET", "/callback?error=access_denied&state=wrong", None),
        ("GET", f"/callbacks?{right}", None), ("GET", f"/callback/?{right}", None), ("GET", f"/callback/..;/?{right}", None),
        ("GET", f"//callback?{right}", None), ("GET", f"/CALLBACK?{right}", None), ("HEAD", f"/callback?{right}", None),
        ("OPTIONS", f"/callback?{right}", None), ("POST", f"/callback?{right}", None), ("GET", f"/callback?{right}", "attacker.example"),
        ("GET", f"/callback?{right}", f"attacker.example:{port}"), ("GET", f"/callback?{right}", f"127.0.0.1:{port}.attacker.example"),
    ]:
        status, _ = request(port, method, target, host)
        expect(400 <= status < 500, f"{method} {target[:24]} of {host}: {status}")
        expect(sign_in.alive(), f"{method} {target[:24]} of {host} ended the sign-in")
    status, page = deliver(SimulatedUser("octocat", "octocat-password").authorize(url))
    expect(status == 200 and "Signed in" in page, f"{status} {page[:200]}")
    sign_in.ends(0)
    place.expect_signed_in()


def own_addresses():
    """Returns an address of this machine other than 127.0.0.1."""
    with contextlib.suppress(OSError):
        found = {entry[4][0] for entry in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
        return sorted(found - {"127.0.0.1"})
    return []


def other_addresses(place, server, sign_in, url, asked):
    parts = urlsplit(asked["redirect_uri"])
    expect(parts.hostname == "127.0.0.1", f"the redirect URI names {parts.hostname}, which can lead elsewhere")
    for address in ["127.0.0.2", "::1", *own_addresses()]:
        try:
            socket.create_connection((address, parts.port), timeout=5).close()
        except OSError:
            continue
        raise AssertionError(f"the port answers at {address}")
    for address in ["127.0.0.1", "0.0.0.0"]:
        with socket.socket() as other:
            other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            try:
                other.bind((address, parts.port))
            except OSError:
                continue
            raise AssertionError(f"another program could bind {address} and the same port")
    end(sign_in)


def end(sign_in):
    sign_in.process.terminate()
    sign_in.ends(143)


def callback(asked, server, **parameters):
    return f"{asked['redirect_uri']}?{urlencode({'state': asked['state'], 'iss': server['issuer'], **parameters})}"


def script_in_description(place, server, sign_in, url, asked):
    status, page = deliver(callback(asked, server, error="access_denied", error_description=SCRIPT))
    expect(status == 400 and "Not signed in" in page, f"{status} {page[:200]}")
    expect("<script>alert" not in page and "\x1b" not in page, f"the page holds the script: {page}")
    sign_in.ends(3)
    expect("\x1b" not in sign_in.said_at_end, f"the terminal gets an escape sequence: {sign_in.said_at_end!r}")
    place.expect_signed_out()


def failed_exchange(place, server, sign_in, url, asked):
    status, page = deliver(callback(asked, server, code="made-up"))
    expect(status == 400 and "Not signed in" in page, f"{status} {page[:200]}")
    sign_in.ends(1)
    place.expect_signed_out()


def other_issuer(place, server, sign_in, url, asked):
    status, page = deliver(callback(asked, server, code="c", iss="https://attacker.example"))
    expect(status == 400 and "Not signed in" in page, f"{status} {page[:200]}")
    sign_in.ends(7)
    place.expect_signed_out()


# A page that tries everything except the one valid way, and then navigates the whole window to a path similar to the redirect URI's.
LIKE = [
    "https://example.com/auth/callback/x", "https://example.com/auth/callback2", "https://example.com/auth",
    "https://example.com/AUTH/callback", "https://www.example.com/auth/callback", "https://example.com.attacker.example/auth/callback",
    "https://example.com:8443/auth/callback", "http://example.com/auth/callback", "https://example.com@127.0.0.1:1/auth/callback", HTTPS,
]
PAGE = """<!DOCTYPE html><title>Trying</title><body><script>
const query = "?code=c&state=" + encodeURIComponent(STATE) + "&iss=" + encodeURIComponent(ISSUER)
const tries = LIKE.flatMap(url => [
  fetch(url + query, {mode: "no-cors"}).catch(() => {}),
  ...["img", "iframe"].map(name => new Promise(done => {
    const element = document.createElement(name)
    element.onload = element.onerror = done
    element.src = url + query
    document.body.append(element)
  })),
])
const time = new Promise(done => setTimeout(done, 3000))
Promise.race([Promise.all(tries), time]).then(() => location = LIKE[1] + query)
</script>"""


class HostilePages(http.server.ThreadingHTTPServer):
    """A compromised authorization endpoint: it knows the state, like every such endpoint."""

    daemon_threads = True

    def __init__(self, issuer):
        self.issuer = issuer
        super().__init__(("127.0.0.1", 0), HostilePage)
        threading.Thread(target=self.serve_forever, daemon=True).start()


class HostilePage(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        asked = parse_qs(urlsplit(self.path).query)
        page = PAGE
        for name, value in {"STATE": asked.get("state", [""])[0], "ISSUER": self.server.issuer, "LIKE": LIKE}.items():
            page = page.replace(name, json.dumps(value))
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(page.encode())

    def log_message(self, *_):
        pass


def look_alikes(server, screen):
    """Only the exact URL in the window itself is a callback: no other path, host or port, no frame, no fetch."""
    with Place(screen.display) as place, HostilePages(server["issuer"]) as hostile:
        sign_in = SignIn(
            place, server, "--ephemeral", "--browser", "chromium", "--callback", HTTPS,
            "--authorization-endpoint", f"http://127.0.0.1:{hostile.server_port}/authorize")
        # The attack's own page if it can be reached, or else the browser's error page about it.
        window = wait_for_title(screen, sign_in, "example")
        expect(sign_in.alive(), "it was taken for a callback")
        screen.close(window, "alt+F4")
        sign_in.ends(2)
        place.expect_signed_out()
        place.expect_nothing_left()
        hostile.shutdown()


def wait_for_title(screen, sign_in, words, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while True:
        for window, title in screen.windows():
            # A page without a title has its whole URL as the window title.
            if words in title.lower() and "127.0.0.1" not in title:
                return window
        expect(sign_in.alive(), f"the sign-in ended: {sign_in.said()[-300:]}")
        expect(time.monotonic() < end, f"{screen.windows()}")
        time.sleep(0.05)
