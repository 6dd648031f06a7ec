"""The matrix of redirects: by target, status and method; the requests that arrive there are read from the servers' logs."""
import http.server
import itertools
import threading

from others import FIELDS, Driver, Nginx
from outside import Report, expect

STATUSES = (301, 302, 303, 307, 308)
METHODS = ("GET", "POST")
BODY = "payload"
# Names that no other machine has (RFC 2606), mapped to this one.
ADDRESSES = {"parent.example": "127.0.0.1", "child.parent.example": "127.0.0.1"}
numbers = itertools.count(1)


class Python:
    """Python's own server: records the header fields of its requests."""

    def __init__(self):
        seen = self.seen = {}

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self):
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                seen[self.path] = dict(
                    {name: self.headers.get(name, "") for name in FIELDS}, method=self.command,
                    length=self.headers.get("Content-Length") or "")
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            do_GET = do_POST = answer

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def received(self, uri, seconds=0):
        return self.seen.get(uri)


def credentials(entry):
    return {name for name in FIELDS if entry[name]}


def check_method(entry, status, method):
    keeps = method == "GET" or status in (307, 308)
    expect(entry["method"] == (method if keeps else "GET"), f"{status} of {method} arrived as {entry['method']}")
    expected = str(len(BODY)) if method == "POST" and keeps else ""
    expect((entry["length"] or "0") == (expected or "0"), f"{status} of {method}: a body of {entry['length']!r}, not {expected!r}")


def lead(driver, start, target, log, expected):
    """Tests all statuses and methods from one place to another, and which credentials must arrive."""
    for status in STATUSES:
        for method in METHODS:
            uri = f"/landing/{next(numbers)}"
            outcome = driver.load(
                method, f"{start}/{status}?to={target}{uri}", fields=FIELDS, body=BODY if method == "POST" else "")
            if not expected and method == "POST" and status in (307, 308):
                expect(outcome.get("error") == "redirect_refused", f"{status} of {method}, with a body: {outcome}")
                expect(log.received(uri, seconds=0) is None, f"{status} of {method}: the body arrived at another origin")
                continue
            expect(outcome.get("status") == 200, f"{status} of {method}: {outcome}")
            expect(len(outcome["redirects"]) == 1, f"{status} of {method}: {outcome}")
            entry = log.received(uri)
            expect(entry is not None, f"{status} of {method}: nothing arrived")
            expect(credentials(entry) == expected, f"{status} of {method}: {sorted(credentials(entry))} arrived, not {sorted(expected)}")
            check_method(entry, status, method)


def there_and_back(driver, nginx, there):
    for status in STATUSES:
        back = f"/back/{next(numbers)}"
        outcome = driver.load("GET", f"http://127.0.0.1:{nginx.plain}/{status}?to={there}{back}", fields=FIELDS)
        expect(outcome.get("status") == 200 and len(outcome["redirects"]) == 2, f"{status}: {outcome}")
        away, home = nginx.received(back), nginx.received(f"/landing{back}")
        expect(away is not None and home is not None, f"{status}: did not pass")
        expect(not credentials(away), f"{status}: {sorted(credentials(away))} arrived there")
        expect(not credentials(home), f"{status}: {sorted(credentials(home))} came back with what a foreign origin had chosen")


def downwards(driver, nginx):
    for status in STATUSES:
        for method in METHODS:
            uri = f"/landing/{next(numbers)}"
            outcome = driver.load(
                method, f"https://127.0.0.1:{nginx.secure}/{status}?to=http://127.0.0.1:{nginx.plain}{uri}", fields=FIELDS,
                body=BODY if method == "POST" else "")
            expect(outcome.get("error") == "redirect_refused", f"{status} of {method}: {outcome}")
            expect(nginx.received(uri, seconds=0) is None, f"{status} of {method}: it arrived")


def protocols(nginx, roots):
    for http1_only, expected in ((False, "HTTP/2.0"), (True, "HTTP/1.1")):
        uri = f"/landing/{next(numbers)}"
        with Driver(roots=roots, http1Only=http1_only) as driver:
            outcome = driver.load("GET", f"https://localhost:{nginx.secure}{uri}")
        expect(outcome.get("status") == 200, f"{outcome}")
        expect(nginx.received(uri)["protocol"] == expected, f"{nginx.received(uri)['protocol']}, not {expected}")


def strangers(nginx):
    uri = f"/landing/{next(numbers)}"
    with Driver() as driver:
        outcome = driver.load("GET", f"https://127.0.0.1:{nginx.secure}{uri}", fields=FIELDS)
    expect(outcome.get("error") == "not_secure", f"{outcome}")
    expect(nginx.received(uri, seconds=0.2) is None, "it arrived")


def main():
    report, python = Report(), Python()
    with Nginx() as nginx:
        with open(nginx.certificate) as file:
            roots = file.read()
        plain, secure = f"http://127.0.0.1:{nginx.plain}", f"https://127.0.0.1:{nginx.secure}"
        every, none = set(FIELDS), set()
        rows = [
            ("the same origin keeps all", plain, plain, nginx, every),
            ("the same origin over TLS keeps all", secure, secure, nginx, every),
            ("another port", plain, f"http://127.0.0.1:{nginx.other}", nginx, none),
            ("another port, of Python's server", plain, f"http://127.0.0.1:{python.port}", python, none),
            ("another address of the same machine", plain, f"http://127.0.0.2:{nginx.plain}", nginx, none),
            ("a name for the same address", plain, f"http://localhost:{nginx.plain}", nginx, none),
            ("from http to https", plain, secure, nginx, none),
            ("a sub-domain", f"http://parent.example:{nginx.plain}", f"http://child.parent.example:{nginx.plain}", nginx, none),
            ("the domain above", f"http://child.parent.example:{nginx.plain}", f"http://parent.example:{nginx.plain}", nginx, none),
            ("another host over TLS", secure, f"https://localhost:{nginx.secure}", nginx, none),
        ]
        with Driver(roots=roots, addresses=ADDRESSES) as driver:
            for name, start, target, log, expected in rows:
                what = name if expected else f"no credential goes to {name}" if "from" not in name else f"no credential goes {name}"
                report.check(f"redirects of nginx, 301 to 308, GET and POST: RS07 RS13 {what}",
                             lambda: lead(driver, start, target, log, expected))
            for where in (f"http://127.0.0.1:{nginx.other}", f"http://localhost:{nginx.plain}"):
                kind = "port" if "127" in where else "name"
                report.check(f"redirects of nginx to another {kind} and back: no credential on either way",
                             lambda: there_and_back(driver, nginx, where))
            report.check("redirects of nginx from https to http are not followed, and nothing arrives", lambda: downwards(driver, nginx))
        report.check("nginx offers HTTP/2: it is used, and HTTP/1.1 if only that is allowed", lambda: protocols(nginx, roots))
        report.check("nginx with an untrusted certificate gets no request", lambda: strangers(nginx))
    report.end()


main()
