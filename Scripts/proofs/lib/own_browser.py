"""The user's own browser, which keeps its sessions: a password is requested once, and the window stays open when the sign-in is done."""
import json
import os
import pathlib
import shutil
import signal
import socket
import sys
import threading
import time

from outside import ARTIFACTS, expect, succeed
from screen import ScreenUser
from web_sign_in import Place, SignIn

SCHEME = "com.example.authhub"


class Squatter:
    """Another program at the same port of ::1, to which the name localhost may resolve."""

    def __init__(self, port):
        self.visits = 0
        self.socket = socket.create_server(("::1", port), family=socket.AF_INET6)
        threading.Thread(target=self.count, daemon=True).start()

    def count(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            self.visits += 1
            connection.close()


def own_browsers(report, server, screen, browser, times):
    def check():
        with Place(screen.display) as place:
            command = COMMANDS[browser](place, server)
            try:
                sign_ins(server, screen, place, browser, command, times)
            finally:
                end_browser(place)
            succeed(place.run("handler", "unregister", SCHEME))
            kept = ("own", ".local", ".config", ".cache", ".mozilla", ".pki", "tmp", "run/dconf")
            place.expect_nothing_left(*kept)

    name = {
        "chromium": "loopback, then a registered scheme: the user enters the password once", "firefox": "loopback",
    }[browser]
    report.check(f"the user's own {browser}, {name}, and another program at ::1 receives nothing", check)


def chromium(place, server):
    """With a profile that passes on callbacks of the scheme without asking, as a user can choose in the dialog."""
    profile = pathlib.Path(place.home.path, "own")
    (profile / "Default").mkdir(parents=True)
    preferences = {"credentials_enable_service": False, "protocol_handler": {"allowed_origin_protocol_pairs": {server["base"]: {SCHEME: True}}}}
    (profile / "Default/Preferences").write_text(json.dumps(preferences))
    sandbox = " --no-sandbox" if os.getuid() == 0 else ""
    flags = "--no-first-run --no-default-browser-check --password-store=basic --force-dark-mode"
    return f"chromium --user-data-dir={profile} {flags}{sandbox}"


def firefox(place, server):
    profile = pathlib.Path(place.home.path, "own")
    profile.mkdir()
    for name, value in {"browser.aboutwelcome.enabled": False, "datareporting.policy.dataSubmissionPolicyBypassNotification": True,
                        "termsofuse.bypassNotification": True, "signon.rememberSignons": False,
                        "browser.shell.checkDefaultBrowser": False}.items():
        with open(profile / "user.js", "a") as file:
            file.write(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n")
    return f"{shutil.which('firefox') or 'firefox-esr'} --profile {profile}"


COMMANDS = {"chromium": chromium, "firefox": firefox}


def sign_ins(server, screen, place, browser, command, times):
    succeed(place.run("handler", "register", SCHEME))
    # A user whom the server has not asked for consent yet.
    user = ScreenUser(screen, server["users"][1])
    pictures = ARTIFACTS / "web-authentication" / f"own-{browser}"
    first = SignIn(place, server, "--browser", command, "--as", "first")
    port = int(first.wait_for_words(r"127\.0\.0\.1%3A(\d+)%2F").group(1))
    squatter = Squatter(port)
    screen.wait_for_page("login", alive=first.alive)
    times.setdefault((browser, "own browser", "call → page"), []).append(time.monotonic() - first.began)
    pages, answered = user.sign_in(
        lambda: True, last="signed in", pictures=lambda number, kind: pictures / f"{number}-{kind.replace(' ', '-')}.png")
    times.setdefault((browser, "own browser", "last answer → result"), []).append(first.ends(0, "Signed in") - answered)
    squatter.socket.close()
    expect(squatter.visits == 0, f"the squatter was visited {squatter.visits} times")
    expect(pages[0] == "login" and pages[-1] == "signed in", f"{pages}")

    if browser == "chromium":
        second = SignIn(place, server, "--browser", command, "--as", "second", "--callback", f"{SCHEME}:/callback")
        pages, _ = user.sign_in(second.alive)
        ended = second.ends(0, "Signed in")
        times.setdefault((browser, "own browser", "call → result, without a password"), []).append(ended - second.began)
        expect("login" not in pages, f"the page asked for the password again: {pages}")
        place.expect_signed_in("--as", "second")
    place.expect_signed_in("--as", "first")


def end_browser(place):
    end = time.monotonic() + 60
    asked = set()
    while place.processes() and time.monotonic() < end:
        for pid in set(place.processes()) - asked:
            asked.add(pid)
            try:
                os.kill(pid, signal.SIGTERM)
            except ProcessLookupError:
                pass
        time.sleep(0.05)
    if place.processes():
        print("the user's own browser did not end in time", file=sys.stderr)
        for pid in place.processes():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
