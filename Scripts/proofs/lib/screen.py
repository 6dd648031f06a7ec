"""A screen in memory with a window manager, and a person before it: who reads the titles of windows, types, and closes them."""
import os
import signal
import subprocess
import time

from outside import PATIENCE, expect

PAGES = {
    "Sign in": "login", "Error: Sign in": "login", "Allow ": "consent", "Signed in": "signed in", "Not signed in": "not signed in",
    "Copy this": "pin", "Sign out?": "sign out", "Signed out": "signed out",
}
# So many seconds a key is down before it repeats itself: between its press and its release a busy machine may have much else to do.
HELD = 4
REQUIRED = ("Xvfb", "openbox", "xdotool", "import")


class Screen:
    """A display with a number that nobody else has."""

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
        """The numbers of the windows that can be seen, with their titles."""
        for _ in range(50):
            found = self.xdotool("search", "--onlyvisible", "--name", ".").split()
            titles = self.xdotool("search", "--onlyvisible", "--name", ".", "getwindowname", "%@").splitlines() if found else []
            if len(found) == len(titles):
                return list(zip(found, titles))
            # One came or went meanwhile.
            time.sleep(0.02)
        return []

    def page(self):
        """The kind of the page that is shown, its title and its window; None where there is none of a sign-in's."""
        for number, title in self.windows():
            for beginning, kind in PAGES.items():
                if title.startswith(beginning):
                    return kind, title, number
        return None

    def wait_for_page(self, *kinds, seconds=PATIENCE, alive=lambda: True):
        """The window of the first page of one of these kinds."""
        end = time.monotonic() + seconds
        while True:
            page = self.page()
            if page and page[0] in kinds:
                return page[2]
            expect(alive(), f"the sign-in ended before there was a page {' or '.join(kinds)}")
            expect(time.monotonic() < end, f"no page {' or '.join(kinds)} within {seconds} s, but {self.windows()}")
            time.sleep(0.03)

    def is_in_front(self, window):
        """Brings it there: keys go to whatever window has the focus, and another one would take them for its own."""
        self.xdotool("windowactivate", window)
        end = time.monotonic() + 2
        while self.xdotool("getactivewindow").strip() != window:
            if time.monotonic() > end:
                return False
            time.sleep(0.02)
        return True

    def press(self, window, *keys):
        """Nothing where the window does not come to the front: those who press look for what follows, and press again."""
        if self.is_in_front(window):
            self.xdotool("key", "--delay", "30", *keys)

    def type(self, window, text, sent_by):
        """Writes over what is in the field, and sends it. The text comes by standard input: no password is in a process list."""
        if self.is_in_front(window):
            self.xdotool("key", "ctrl+a", "type", "--delay", "12", "--file", "-", text=text)
            self.xdotool("key", sent_by)

    def close(self, window, keys, seconds=PATIENCE):
        """Presses the keys until the window is gone: one that has just come may not take them yet. Returns when they were pressed."""
        end = time.monotonic() + seconds
        while True:
            pressed = time.monotonic()
            self.press(window, keys)
            while time.monotonic() - pressed < 2:
                if window not in self.xdotool("search", "--onlyvisible", "--name", ".").split():
                    return pressed
            expect(pressed < end, f"{keys} does not close the window within {seconds} s")

    def picture(self, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["import", "-window", "root", str(path)], env=self.environment, check=True, timeout=PATIENCE)


class Person:
    """Who knows a password, and goes through the pages of a sign-in."""

    # A page that has a title may not take keys yet: what has led nowhere after these seconds is done again.
    AGAIN_AFTER = 2.0

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
        # By the buttons' own keys: keys that come late meet the next page, where Return or a Tab could lead to another button.
        held = "alt+shift" if "Firefox" in title else "alt"
        if kind == "login":
            self.screen.type(window, f"{self.user['username']}\t{self.user['password']}", f"{held}+s")
        else:
            self.screen.press(window, f"{held}+{'a' if decision == 'allow' else 'c'}")
