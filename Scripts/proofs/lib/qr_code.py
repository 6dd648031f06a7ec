"""A server that returns URLs of chosen lengths to `authhub login --flow device`, and zbar as the camera.

Each picture is taken from the tool's own output, as a terminal would show it: with colors (true black on true white), and without, as on a
dark terminal. zbarimg must read exactly the URL.
"""
import concurrent.futures
import http.server
import json
import os
import pathlib
import re
import subprocess
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from outside import PATIENCE, Home, Report, expect

# Every version from 1 to 15 at both of its levels, and the limits of the smallest and the largest.
LENGTHS = [24, 26, 32, 42, 53, 62, 78, 84, 106, 120, 134, 150, 154, 180, 192, 210, 230, 250, 271, 290, 320, 350, 367, 400, 425, 458, 490, 520]
HALVES = {"█": (1, 1), "▀": (1, 0), "▄": (0, 1), " ": (0, 0)}
SCALE = 4
# Each waits a second before it polls for the user's decision: this many wait concurrently.
AT_ONCE = 8


class Server(http.server.BaseHTTPRequestHandler):
    """The URL in its response is as long as the path of the request says."""

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path.startswith("/device/"):
            base = f"http://127.0.0.1:{self.server.server_port}"
            self.answer(200, {
                "device_code": "d", "user_code": "ABCD-EFGH", "verification_uri": f"{base}/go",
                "verification_uri_complete": address(base, int(self.path.rpartition("/")[2])), "expires_in": 600, "interval": 0.01})
        else:
            self.answer(400, {"error": "access_denied"})

    def answer(self, status, members):
        body = json.dumps(members).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Listener(http.server.ThreadingHTTPServer):
    # For all connections that arrive at the same time.
    request_queue_size = 64


def address(base, length):
    return (base + "/go?user_code=ABCD-EFGH&x=").ljust(length, "x")[:length]


def draw(home, base, length, color):
    # Separate accounts: sign-ins to the same one wait for each other.
    result = home.run(
        "login", base, "--as", f"{color}-{length}", "--client-id", "c", "--allow-insecure-loopback", "--flow", "device", "--qr", "always",
        "--color", color, "--authorization-endpoint", f"{base}/a", "--token-endpoint", f"{base}/token",
        "--device-endpoint", f"{base}/device/{length}")
    expect(result.returncode == 3, f"exit code {result.returncode}: {result.stderr[-300:]}")
    return result.stderr


def squares(text, colored):
    """Returns the picture's pixels, 1 for black, as the terminal shows them."""
    if colored:
        lines = re.findall("\x1b\\[38;5;16;48;5;231m([█▀▄ ]+)\x1b\\[0m", text)
    else:
        lines = re.findall("^([█▀▄ ]{29,})$", text, re.M)
    expect(lines, "there is no picture")
    expect(len({len(line) for line in lines}) == 1, "the lines differ in length")
    rows = []
    for line in lines:
        for half in (0, 1):
            rows.append([HALVES[character][half] if colored else 1 - HALVES[character][half] for character in line])
    return rows


def read(home, rows, name):
    width, height = len(rows[0]) * SCALE, len(rows) * SCALE
    pixels = "\n".join(" ".join(str(bit) for bit in row for _ in range(SCALE)) for row in rows for _ in range(SCALE))
    path = home.write(f"{name}.pbm", f"P1\n{width} {height}\n{pixels}\n")
    result = subprocess.run(
        ["zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", path], capture_output=True, text=True, timeout=PATIENCE,
        env=dict(os.environ, DBUS_SESSION_BUS_ADDRESS="unix:path=/nonexistent"))
    return result.stdout.strip()


def is_read(home, base, length, color):
    rows = squares(draw(home, base, length, color), color == "always")
    # A camera sees more than the picture: there is no light margin here, so the quiet zone must be part of the picture.
    seen, right = read(home, rows, f"{color}-{length}"), address(base, length)
    expect(seen == right, f"read {seen!r} instead of {right!r}")


report = Report()
server = Listener(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"
with Home() as home, concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
    for color, ground in [("always", "any terminal"), ("never", "a dark terminal")]:
        def all_are_read():
            for _ in pool.map(lambda length: is_read(home, base, length, color), LENGTHS):
                pass

        report.check(f"zbar reads URLs of {LENGTHS[0]} to {LENGTHS[-1]} bytes, as drawn for {ground}", all_are_read)

    def nothing_is_drawn():
        text = draw(home, base, 521, "always")
        expect("48;5;231" not in text, "a picture was drawn")
        expect("ABCD-EFGH" in text, "the code is missing")

    report.check("a URL that is too long for a QR code is shown without one", nothing_is_drawn)
server.shutdown()
report.end()
