"""A screen in memory with a window manager, and a user who reads window titles, types, and closes windows."""
import os
import signal
import subprocess
import time

from outside import PATIENCE, expect

PAGES = {
    "Sign in": "login", "Error: Sign in": "login", "Allow ": "consent", "Signed in": "signed in", "Not signed in": "not signed in",
    "Copy this": "pin", "Sign out?": "sign out", "Signed out": "signed out", "This page has expired": "expired",
}
# How many seconds a key must be down before it repeats: a busy machine may delay its release.
HELD = 4
REQUIRED = ("Xvfb", "openbox", "xdotool", "xclip", "import")


class Screen:
    """A display with an unused number."""

    def __init__(self, home):
        read, write = os.pipe()
        quiet = dict(stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "1100x820x24", "-nolisten", "tcp", "-noreset", "-ardelay", str(HELD * 1000)],
            pass_fds=(write,), env=home.environment, **quiet)
        os.close(write)
        with os.fdopen(read) as numbers:
            self.display = f":{numbers.readline().strip()}"
        expect(self.display != ":", "Xvfb did not start")
        self.environment = dict(home.environment, DISPLAY=self.display)
        self.manager = subprocess.Popen(["openbox", "--sm-disable"], env=self.environment, **quiet)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in (self.manager, self.server):
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def xdotool(self, *words, text=None):
        return subprocess.run(
            ["xdotool", *words], env=self.environment, input=text, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            timeout=PATIENCE).stdout

    def windows(self):
        """Returns the numbers of the visible windows, with their titles."""
        for _ in range(50):
            found = self.xdotool("search", "--onlyvisible", "--name", ".").split()
            titles = self.xdotool("search", "--onlyvisible", "--name", ".", "getwindowname", "%@").splitlines() if found else []
            if len(found) == len(titles):
                return list(zip(found, titles))
            # A window was opened or closed in the meantime.
            time.sleep(0.02)
        return []

    def page(self):
        """Returns the kind of the visible page, its title and its window; None if no page of a sign-in is visible."""
        for number, title in self.windows():
            for beginning, kind in PAGES.items():
                if title.startswith(beginning):
                    return kind, title, number
        return None

    def wait_for_page(self, *kinds, seconds=PATIENCE, alive=lambda: True):
        """Returns the window of the first page of one of these kinds."""
        end = time.monotonic() + seconds
        while True:
            page = self.page()
            if page and page[0] in kinds:
                return page[2]
            expect(alive(), f"the sign-in ended before there was a page {' or '.join(kinds)}")
            expect(time.monotonic() < end, f"no page {' or '.join(kinds)} within {seconds} s, but {self.windows()}")
            time.sleep(0.03)

    def is_in_front(self, window):
        """Brings it to the front: keys go to the window with the focus, and another one would handle them."""
        self.xdotool("windowactivate", window)
        end = time.monotonic() + 2
        while self.xdotool("getactivewindow").strip() != window:
            if time.monotonic() > end:
                return False
            time.sleep(0.02)
        return True

    def press(self, window, *keys):
        """Does nothing if the window does not come to the front: callers check the effect, and press again."""
        if self.is_in_front(window):
            self.take_focus(window)
            self.xdotool("key", "--delay", "30", *keys)

    def take_focus(self, window):
        """The window manager may have made it the active window, while another one keeps the keys: a click in its margin gets them, too."""
        for way in (["windowfocus", window], ["mousemove", "--window", window, "8", "300", "click", "1"]):
            if self.xdotool("getwindowfocus").strip() == window:
                return
            self.xdotool("windowraise", window, *way)

    def type(self, window, text, sent_by):
        """Replaces the text in the field, and submits it. The text comes from standard input, so that no password is in a process list."""
        if self.is_in_front(window):
            self.take_focus(window)
            self.xdotool("key", "ctrl+a", "type", "--delay", "12", "--file", "-", text=text)
            self.xdotool("key", sent_by)

    def close(self, window, keys, seconds=PATIENCE):
        """Presses the keys until the window is closed: a new one may not accept them yet. Returns when they were pressed."""
        end = time.monotonic() + seconds
        while True:
            pressed = time.monotonic()
            self.press(window, keys)
            while time.monotonic() - pressed < 2:
                if window not in self.xdotool("search", "--onlyvisible", "--name", ".").split():
                    return pressed
            expect(pressed < end, f"{keys} does not close the window within {seconds} s")

    def clipboard(self):
        """Returns the text in the clipboard, "" if there is none."""
        return subprocess.run(
            ["xclip", "-selection", "clipboard", "-out"], env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            timeout=PATIENCE).stdout

    def picture(self, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["import", "-window", "root", str(path)], env=self.environment, check=True, timeout=PATIENCE)


class ScreenUser:
    """A user who knows a password, and goes through the pages of a sign-in."""

    # A page that has a title may not accept keys yet: an action without effect after these seconds is repeated.
    AGAIN_AFTER = 4.0

    def __init__(self, screen, user):
        self.screen, self.user = screen, user

    def sign_in(self, alive, decision="allow", last=None, pictures=None, seconds=PATIENCE):
        """Answers each page until the sign-in has ended or the last page is shown.

        Returns the kinds of the pages in their order, and when the last was answered.
        """
        end = time.monotonic() + seconds
        seen, answered, before = [], 0.0, None
        while alive():
            expect(time.monotonic() < end, f"after {seconds} s {seen}, and {self.screen.windows()}")
            page = self.screen.page()
            if page and page[0] == "expired":
                # The password was sent twice.
                self.screen.press(page[2], "alt+Left")
                time.sleep(self.AGAIN_AFTER)
                continue
            if page and page[0] != (seen[-1] if seen else None):
                seen.append(page[0])
                if pictures:
                    self.screen.picture(pictures(len(seen), page[0]))
            if page and page[0] == last:
                break
            if page and (page[:2] != before or time.monotonic() - answered > self.AGAIN_AFTER) and page[0] in ("login", "consent"):
                before = page[:2]
                self.answer(*page, decision)
                answered = time.monotonic()
            time.sleep(0.05)
        return seen, answered

    def answer(self, kind, title, window, decision):
        # With the buttons' own keys: delayed keys reach the next page, where Return or Tab could activate another button.
        held = "alt+shift" if "Firefox" in title else "alt"
        if kind == "login":
            self.screen.type(window, f"{self.user['username']}\t{self.user['password']}", f"{held}+s")
        else:
            self.screen.press(window, f"{held}+{'a' if decision == 'allow' else 'c'}")
