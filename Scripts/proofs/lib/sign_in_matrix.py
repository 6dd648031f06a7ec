"""Every kind of callback, in every separate browser, with every possible outcome of a sign-in."""
import os
import signal
import sys
import time

from outside import ARTIFACTS, expect
from screen import ScreenUser
from web_sign_in import Place, SignIn

CALLBACKS = {"loopback": "loopback", "custom scheme": "com.example.authhub:/callback", "https": "https://example.com/auth/callback"}
# A scheme with a host and no path, as many apps register it.
SCHEME_WITH_HOST = "authhub://callback"


class Cell:
    """A browser with a kind of callback."""

    def __init__(self, screen, server, browser, kind, times):
        self.screen, self.server, self.browser, self.kind = screen, server, browser, kind
        self.user = ScreenUser(screen, server["user"])
        self.times = times
        self.pictures = ARTIFACTS / "web-authentication" / f"{browser}-{kind.replace(' ', '-')}"

    def login(self, place, *arguments, callback=None):
        return SignIn(
            place, self.server, "--ephemeral", "--browser", self.browser, "--callback", callback or CALLBACKS[self.kind], *arguments)

    def shown(self, sign_in):
        window = self.screen.wait_for_page("login", alive=sign_in.alive)
        self.note("call → page", time.monotonic() - sign_in.began)
        return window

    def note(self, what, seconds):
        self.times.setdefault((self.browser, self.kind, what), []).append(seconds)

    def picture(self, number, kind):
        return self.pictures / f"{number}-{kind.replace(' ', '-')}.png"

    # Each outcome has a name, an exit status and a message of the tool.

    def approved(self, place):
        """The password is requested, each time, because nothing is stored."""
        for turn in range(2):
            sign_in = self.login(place)
            self.shown(sign_in)
            pages, answered = self.user.sign_in(sign_in.alive, pictures=self.picture if turn == 0 else None)
            self.note("last answer → result", sign_in.ends(0, "Signed in") - answered)
            expect(pages[0] == "login", f"sign-in {turn + 1} showed {pages}")
            place.expect_signed_in()

    def approved_at_host(self, place):
        sign_in = self.login(place, callback=SCHEME_WITH_HOST)
        self.shown(sign_in)
        self.user.sign_in(sign_in.alive)
        sign_in.ends(0, "Signed in")
        place.expect_signed_in()

    def denied(self, place):
        sign_in = self.login(place)
        self.shown(sign_in)
        # A user whom the server has not asked before.
        _, answered = ScreenUser(self.screen, self.server["users"][1]).sign_in(sign_in.alive, decision="deny")
        self.note("last answer → result", sign_in.ends(3, "access was denied") - answered)
        place.expect_signed_out()

    def closed(self, place):
        sign_in = self.login(place)
        window = self.shown(sign_in)
        # One with the browser's own key, the others with the window manager, like the window's button.
        keys = "ctrl+w" if self.kind == "loopback" else "alt+F4"
        pressed = self.screen.close(window, keys)
        self.note("closed → known", sign_in.ends(2, "cancelled") - pressed)
        place.expect_signed_out()

    def timed_out(self, place):
        sign_in = self.login(place, "--timeout", "3")
        seconds = sign_in.ends(5, "timed out") - sign_in.began
        expect(seconds >= 3, f"{seconds:.1f} s")
        place.expect_signed_out()

    def cancelled_by_program(self, place):
        sign_in = self.login(place)
        self.shown(sign_in)
        moment = time.monotonic()
        sign_in.process.send_signal(signal.SIGINT)
        self.note("Ctrl-C → end", sign_in.ends(130) - moment)
        place.expect_signed_out()

    def joined(self, place):
        first = self.login(place)
        self.shown(first)
        second = self.login(place)
        second.wait_for_words(f"process {first.process.pid} is signing in to this account or renaming it")
        pages, _ = self.user.sign_in(first.alive)
        expect(pages[0] == "login", f"{pages}")
        first.ends(0, "Signed in")
        second.ends(0, "Signed in")
        expect("Sign in on this page" not in second.said_at_end, "the second sign-in showed another page")
        place.expect_signed_in()

    def killed(self, place):
        sign_in = self.login(place)
        self.shown(sign_in)
        os.kill(sign_in.browser(), signal.SIGKILL)
        sign_in.ends(1, "was terminated by signal 9")
        place.expect_signed_out()

    CASES = {
        "allowed: 0, and the next sign-in asks for the password, too": approved,
        "denied at the consent page: 3": denied,
        "its window closed: 2": closed,
        "timed out: 5": timed_out,
        "Ctrl-C: 130": cancelled_by_program,
        "a second sign-in to the same account shows no page and has the same result: 0": joined,
        "the browser killed: 1, and says so": killed,
    }

    def prove(self, report):
        cases = dict(self.CASES)
        if self.kind == "custom scheme":
            cases[f"{SCHEME_WITH_HOST}, which has no path: 0"] = Cell.approved_at_host
        for name, case in cases.items():
            report.check(f"{self.browser}, {self.kind}: {name}", lambda case=case: self.run(case))

    def run(self, case):
        start = time.monotonic()
        with Place(self.screen.display) as place:
            case(self, place)
            place.expect_nothing_left()
        print(f"  {self.browser}, {self.kind}, {case.__name__}: {time.monotonic() - start:.1f} s", file=sys.stderr, flush=True)
