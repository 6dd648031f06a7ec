"""A user of the window for Linux: what they see and do there, with the pointer and with keys. The steps of their day use it in turn."""
import copy
import json
import os
import sys
import time

from accessibility import CONTROLS
from app_program import Program
from outside import ARTIFACTS, PATIENCE, expect
from screen import ScreenUser
from web_sign_in import command_of

PICTURES = ARTIFACTS / "app"
REPOSITORIES = 237
# The user's own browser, which keeps its sessions. It does not expose its pages to assistive technologies.
BROWSER = """#!/bin/sh
exec env NO_AT_BRIDGE=1 chromium --user-data-dir={profile} --no-first-run --no-default-browser-check --password-store=basic \\
    --disable-sync --disable-component-update {sandbox} "$@" >/dev/null 2>&1
"""


class Story:
    """One user's machine and window; values recorded in one step are compared in a later one."""

    def __init__(self, desktop, server):
        self.desktop, self.server, self.screen, self.home = desktop, server, desktop.screen, desktop.home
        self.number, self.program = 0, None
        self.octocat, self.mona = server["users"][0], server["users"][1]
        self.everything_said = []
        # The secrets in the keyring while octocat is signed in, and the memory for all rows.
        self.tokens, self.memory = [], None
        self.settings = self.write_settings("github", "github-app", server, server["clients"]["confidential"])
        sandbox = "--no-sandbox" if os.getuid() == 0 else ""
        browser = self.home.write("browser", BROWSER.format(profile=f"{self.home.path}/own", sandbox=sandbox))
        os.chmod(browser, 0o700)
        # No bubble that offers to save the password.
        os.makedirs(f"{self.home.path}/own/Default")
        self.home.write("own/Default/Preferences", json.dumps({"credentials_enable_service": False}))
        self.home.environment["BROWSER"] = browser

    def write_settings(self, name, provider, server, client, **others):
        settings = {
            **others,
            "provider": provider, "place": server["base"], "client_id": client["client_id"],
            "allow_insecure_loopback_for_development": True}
        if client.get("client_secret"):
            settings["client_secret_file"] = self.home.write(f"{name}.secret", client["client_secret"])
        return self.home.write(f"{name}.json", json.dumps(settings))

    @property
    def window(self):
        return self.program.window

    def start(self, *words):
        if self.program:
            self.program.__exit__()
        self.program = Program(self.desktop, *(words or ("--settings", self.settings)))

    def picture(self, name):
        """Takes a screenshot once the window is in front and has been painted."""
        self.number += 1
        self.program.press("Control_L")
        time.sleep(0.4)
        self.screen.picture(PICTURES / f"{self.number:02d}-{name}.png")
        self.everything_said += self.window.words() + [self.program.command_line()]

    def sign_in(self, user, page=None, screen=None):
        """Answers the pages until the window shows the user's content; returns the kinds of the pages."""
        self.window.click("push button", "Sign In")
        return self.answer(user, page, screen)

    def others(self):
        """Returns the windows on the screen except the current ones."""
        screen, before = copy.copy(self.screen), {number for number, _ in self.screen.windows()}
        screen.windows = lambda: [(number, title) for number, title in self.screen.windows() if number not in before]
        return screen

    def answer(self, user, page=None, screen=None):
        pictures = None
        if page:
            self.number += 1
            number = self.number
            pictures = lambda place, kind: PICTURES / f"{number:02d}-{page}-{place}-{kind.replace(' ', '-')}.png"
        def waits():
            expect(self.program.process.poll() is None, f"it ended with {self.program.process.poll()}: {self.program.said()[-300:]}")
            return not self.window.look("list", "Repositories") and not self.window.look("push button", "Sign Out")

        return ScreenUser(screen or self.screen, user).sign_in(waits, pictures=pictures)[0]

    def expect_signed_in(self, login):
        self.window.find_label(f"Picture of {login}")
        self.window.wait(f"repository of {login}", lambda: self.rows(login))

    def rows(self, login):
        """Returns the rows with the names of this user's repositories."""
        def look():
            lists = self.window.look("list", "Repositories")
            return [row for row in lists[0].children() if row.name.startswith(f"{login}/")] if lists else []

        return self.window.settled(look)

    def expect_signed_out(self):
        self.window.find("push button", "Sign In")
        expect(not self.window.look("list", "Repositories"), "the list is still there")

    def sign_out(self, name="Sign Out Here"):
        self.window.click("push button", "Main Menu")
        self.window.click("menu item", name)
        self.expect_signed_out()

    def refresh(self):
        """Signs in with its button; returns when a first page has arrived."""
        lists = self.server.counts()["lists"]
        self.window.click("push button", "Refresh")
        self.window.wait("first page", lambda: self.server.counts()["lists"] > lists)

    def read_to_the_end(self):
        """Scrolls with the End key until this number of rows is reached; returns the numbers of rows on the way."""
        grown, end = [], time.monotonic() + PATIENCE
        while not self.window.look("label", f"{REPOSITORIES} repositories"):
            expect(time.monotonic() < end, f"the list has no end; it grew {grown}; {self.window.summary()}")
            self.program.press("End")
            time.sleep(0.1)
            count = len(self.rows("octocat"))
            grown += [count] if count not in grown else []
        return grown

    def browsers(self):
        """Returns the browser processes, except those of individual tabs, which come and go."""
        commands = {pid: command_of(pid) for pid in self.desktop.running()}
        return [pid for pid, command in commands.items() if "chromium" in command and "--type=" not in command]

    def is_without_keyboard_traps(self):
        """Tab alone reaches every control of this screen, and returns to the first; a list is one stop, with arrow keys inside."""
        controls = [node for node in self.window.nodes() if node.role in CONTROLS and {"focusable", "sensitive"} <= node.states
                    and node.name not in ("Minimize", "Maximize", "Close") and node.deeds()]
        reached, first = [], None
        for _ in range(40):
            before, here = self.move("Tab")
            if reached and before is not None and before != reached[-1]:
                # On a busy machine, the focus may arrive after the wait for it.
                reached.append(before)
            if here is None or here == before:
                continue
            reached.append(here)
            if first is None:
                first = here
            elif here == first:
                break
        else:
            raise AssertionError(f"Tab does not come back to {first}; reached: {reached}")
        missing = [node for node in controls if node not in reached and not any(inner in reached for inner in node.walk())]
        expect(not missing, f"not reached by Tab: {missing}; reached: {reached}")
        return [repr(node) for node in reached]

    def is_used_by_keys(self):
        """Signs out and in again without a pointer."""
        self.reach("push button", "Main Menu")
        self.program.press("Return")
        self.window.find("menu item", "Sign Out Here")
        for _ in range(6):
            here = self.window.focused()
            if here and here.name == "Sign Out Here":
                break
            self.move("Down")
        self.program.press("Return")
        self.expect_signed_out()
        reached = self.is_without_keyboard_traps()
        # In a private window, which asks: the user's own browser would have a session.
        self.reach("check box", "Private window")
        self.program.press("space")
        self.window.wait("switch that is on", lambda: "checked" in self.window.find("check box", "Private window").states)
        self.reach("push button", "Sign In")
        others = self.others()
        self.program.press("space")
        self.window.find("push button", "Cancel")
        # A browser that is still starting takes the focus, and receives the key.
        others.wait_for_page("login")
        self.program.press("Escape")
        self.window.find("push button", "Sign In")
        print(f"reached by Tab: {', '.join(reached)}", file=sys.stderr)

    def reach(self, role, name, key="Tab"):
        for _ in range(15):
            here = self.window.focused()
            if here and here.name.startswith(name) and (here.role == role or role in [node.role for node in here.walk()]):
                return
            self.move(key)
        raise AssertionError(f"{key} does not lead to {role} {name}; {self.window.focused()}")

    def move(self, key, seconds=3):
        """Presses a key that moves the focus; returns the previous and the new focus."""
        before = here = self.window.focused()
        self.program.press(key)
        end = time.monotonic() + seconds
        while here == before and time.monotonic() < end:
            here = self.window.focused()
        return before, here

    def choose(self, row, choice, shown=None):
        """Chooses in a drop-down list with keys, the only way that GTK's accessibility supports. It does not expose that the list is
        open."""
        end = time.monotonic() + PATIENCE
        while not self.window.says(shown or f"Sign in to {choice}", seconds=3):
            expect(time.monotonic() < end, f"{choice} cannot be chosen; {self.window.summary()}")
            self.reach("combo box", row)
            self.program.press("space")
            time.sleep(0.3)
            self.program.press("Down", "Return")
