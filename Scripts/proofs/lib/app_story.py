"""The steps of a person's day with the window for Linux."""
import copy
import json
import os
import re
import shutil
import subprocess
import sys
import time

from accessibility import CONTROLS
from app_program import Program
from outside import ARTIFACTS, PATIENCE, expect
from screen import Person
from web_sign_in import command_of

PICTURES = ARTIFACTS / "app"
REPOSITORIES = 237
# Seconds that access tokens are good for: longer than the steps of one check take on a machine that has much else to do.
LIFETIME = 15
TOKEN = re.compile(r"\bgh[a-z]_[A-Za-z0-9]{20,}")
# The person's own browser, which keeps its sessions. It is not asked to tell assistive technology about its pages.
BROWSER = """#!/bin/sh
exec env NO_AT_BRIDGE=1 chromium --user-data-dir={profile} --no-first-run --no-default-browser-check --password-store=basic \\
    --disable-sync --disable-component-update {sandbox} "$@" >/dev/null 2>&1
"""


class Story:
    def __init__(self, desktop, server):
        self.desktop, self.server, self.screen, self.home = desktop, server, desktop.screen, desktop.home
        self.number, self.program = 0, None
        self.octocat, self.mona = server["users"][0], server["users"][1]
        self.everything_said = []
        self.settings = self.write_settings("github", "github-app", server, server["clients"]["confidential"])
        sandbox = "--no-sandbox" if os.getuid() == 0 else ""
        browser = self.home.write("browser", BROWSER.format(profile=f"{self.home.path}/own", sandbox=sandbox))
        os.chmod(browser, 0o700)
        # No bubble that offers to keep the password.
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

    # Steps that several use.

    @property
    def window(self):
        return self.program.window

    def start(self, *words):
        if self.program:
            self.program.__exit__()
        self.program = Program(self.desktop, *(words or ("--settings", self.settings)))

    def picture(self, name):
        """As the person sees it, once the window is in front and has been painted."""
        self.number += 1
        self.program.press("Control_L")
        time.sleep(0.4)
        self.screen.picture(PICTURES / f"{self.number:02d}-{name}.png")
        self.everything_said += self.window.words() + [self.program.command_line()]

    def sign_in(self, user, page=None, screen=None):
        """A person answers the pages until the window shows what is theirs; returns the kinds of the pages."""
        self.window.click("push button", "Sign In")
        return self.answer(user, page, screen)

    def others(self):
        """The screen without the windows that are there now."""
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

        return Person(screen or self.screen, user).sign_in(waits, pictures=pictures)[0]

    def expect_signed_in(self, login):
        self.window.find_label(f"Picture of {login}")
        self.window.wait(f"repository of {login}", lambda: self.rows(login))

    def rows(self, login):
        """The rows whose name is that of one of this person's repositories."""
        def look():
            lists = self.window.look("list", "Repositories")
            return [row for row in lists[0].children() if row.name.startswith(f"{login}/")] if lists else []

        return self.window.settled(look)

    def expect_signed_out(self):
        self.window.find("push button", "Sign In")
        expect(not self.window.look("list", "Repositories"), "the list is still there")

    def sign_out(self):
        self.window.click("push button", "Main Menu")
        self.window.click("menu item", "Sign Out")
        self.expect_signed_out()

    def refresh(self):
        """By its button; returns when a first page has come."""
        lists = self.server.counts()["lists"]
        self.window.click("push button", "Refresh")
        self.window.wait("first page", lambda: self.server.counts()["lists"] > lists)

    def read_to_the_end(self):
        """Scrolls on with the End key until the count is there; returns how many rows there were meanwhile."""
        grown, end = [], time.monotonic() + PATIENCE
        while not self.window.look("label", f"{REPOSITORIES} repositories"):
            expect(time.monotonic() < end, f"the list has no end; it grew {grown}; {self.window.summary()}")
            self.program.press("End")
            time.sleep(0.1)
            count = len(self.rows("octocat"))
            grown += [count] if count not in grown else []
        return grown

    # The story.

    def begins(self):
        self.start()
        self.window.find_label("Sign in to GitHub")
        self.window.find_label(re.compile(r"permission .* at GitHub"))
        self.window.find("push button", "Sign In")
        self.window.find("check box", "Private window")
        expect(not self.window.look("combo box", "Service"), "there is a choice of one service")
        self.picture("start")

    def cancels(self):
        self.window.click("push button", "Sign In")
        self.window.find_label("Waiting for you in the browser…")
        self.window.find("push button", "Cancel")
        expect(not self.window.look("push button", "Sign In"), "the button is still there")
        page = self.screen.wait_for_page("login")
        self.picture("waiting")
        self.window.click("push button", "Cancel")
        self.window.find("push button", "Sign In")
        expect(not self.window.look("push button", "Cancel"), "there is still something to cancel")
        expect(self.server.counts()["signIns"] == 0, "somebody was signed in")
        self.screen.close(page, "ctrl+w")

    def signs_in(self):
        pages = self.sign_in(self.octocat, page="browser")
        expect(pages[:2] == ["login", "consent"], f"the pages were {pages}")
        self.expect_signed_in("octocat")
        self.window.find_label("The Octocat")
        expect(self.server.counts()["signIns"] == 1, f"{self.server.counts()}")
        expect(len(self.desktop.records()) == 1, f"the keyring holds {self.desktop.records()}")

    def is_raised(self):
        self.desktop.until(
            lambda: self.screen.xdotool("getactivewindow", "getwindowname").strip() == "AuthHub", "window AuthHub in front")
        self.picture("signed-in")

    def lists(self):
        first = len(self.rows("octocat"))
        expect(0 < first < REPOSITORIES, f"{first} rows before anybody scrolled")
        grown = self.read_to_the_end()
        names = [row.name for row in self.rows("octocat")]
        expect(len(names) == REPOSITORIES == len(set(names)), f"{len(names)} rows, {len(set(names))} names")
        expect("octocat/Hello-World" in names, f"{names[:5]}")
        private = next(row for row in self.rows("octocat") if row.name == "octocat/boysenberry")
        expect("private" in private.says().lower(), f"{private.says()}")
        self.program.press("End")
        self.picture("end-of-list")
        self.memory = self.program.memory()
        print(f"rows while scrolling: {grown}; pages asked for: {self.server.counts()['lists']}", file=sys.stderr)

    def refreshes(self):
        before = self.server.counts()
        # The one thing to wait for here is time itself.
        time.sleep(LIFETIME + 0.5)
        self.refresh()
        self.expect_signed_in("octocat")
        after = self.server.counts()
        expect(after["refreshes"] > before["refreshes"], f"no token was refreshed: {after}")
        expect((after["signIns"], after["pages"]) == (before["signIns"], before["pages"]), f"the person was asked: {before} {after}")
        self.program.press("F5")
        self.window.wait("page by F5", lambda: self.server.counts()["lists"] > after["lists"])
        now = self.server.counts()["lists"]
        self.program.press("ctrl+r")
        self.window.wait("page by Ctrl+R", lambda: self.server.counts()["lists"] > now)
        expect(not self.window.look("push button", "Try Again"), "there is a problem")
        self.picture("refreshed")

    def goes_down(self):
        self.server.do("down")
        self.window.click("push button", "Refresh")
        self.window.find_label(re.compile("cannot be reached"))
        self.window.find_label(re.compile("still signed in"))
        self.window.find("push button", "Try Again")
        expect(self.rows("octocat"), "the list is gone")
        self.picture("server-down")
        self.server.do("up")
        self.window.click("push button", "Try Again")
        self.window.expect_gone("push button", "Try Again")
        self.expect_signed_in("octocat")
        expect(not [node for node in self.window.nodes() if "cannot be reached" in node.name], "the problem is still told")
        self.picture("server-up")

    def is_revoked(self):
        self.server.do("revoke")
        self.window.click("push button", "Refresh")
        self.window.find_label("Sign in to GitHub")
        self.window.find_label(re.compile("has ended"))
        self.expect_signed_out()
        self.desktop.until(lambda: not self.desktop.records(), "keyring without what is good for nothing")
        self.picture("revoked")
        pages = self.sign_in(self.octocat)
        expect("login" not in pages, f"the person's own browser asked for the password again: {pages}")
        self.expect_signed_in("octocat")
        expect(not [node for node in self.window.nodes() if "has ended" in node.name], "the problem is still told")

    def signs_out(self):
        # With an access token that is good: by one that has run out GitHub's way to revoke finds nothing.
        self.refresh()
        revocations = self.server.counts()["revocations"]
        self.sign_out()
        self.window.wait("revocation", lambda: self.server.counts()["revocations"] > revocations)
        self.desktop.until(lambda: not self.desktop.records() and not self.desktop.files_of_records(), "stores without a record")
        self.picture("signed-out")

    def is_another(self):
        """In a private window: the person's own browser would know octocat."""
        switch = self.window.find("check box", "Private window")
        switch.do("toggle")
        self.window.wait("switch that is on", lambda: "checked" in self.window.find("check box", "Private window").states)
        before = set(self.browsers())
        pages = self.sign_in(self.mona, page="private-window", screen=self.others())
        expect("login" in pages, f"nobody asked for a password: {pages}")
        self.expect_signed_in("mona")
        self.window.find_label("Mona Lisa Octocat")
        expect(not self.rows("octocat"), "another's repositories are listed")
        self.picture("another-person")
        self.desktop.until(lambda: set(self.browsers()) <= before, "end of the private window")

    def browsers(self):
        """The processes of browsers, but for those that own tabs come and go with."""
        commands = {pid: command_of(pid) for pid in self.desktop.running()}
        return [pid for pid, command in commands.items() if "chromium" in command and "--type=" not in command]

    def is_closed(self):
        before, (width, height) = self.server.counts(), self.program.size()
        left = (width + 90, height - 120)
        self.screen.xdotool("windowsize", self.program.number(), *map(str, left))
        self.window.wait("window of another size", lambda: self.program.size() == left)
        self.program.close()
        self.start()
        self.expect_signed_in("mona")
        self.expect_not_asked(before)
        expect(self.program.size() == left, f"it was left {left}, and begins {self.program.size()}")
        self.picture("restarted")

    def is_killed(self):
        before = self.server.counts()
        self.program.kill()
        self.start()
        self.expect_signed_in("mona")
        self.refresh()
        self.program.kill()
        self.start()
        self.expect_signed_in("mona")
        self.expect_not_asked(before)

    def expect_not_asked(self, before):
        after = self.server.counts()
        expect((after["signIns"], after["pages"]) == (before["signIns"], before["pages"]), f"the person was asked: {before} {after}")

    def is_without_keyboard_traps(self):
        """Tab alone leads to every control of this screen, and back to the first; a list is one stop, with arrows inside."""
        controls = [node for node in self.window.nodes() if node.role in CONTROLS and {"focusable", "sensitive"} <= node.states
                    and node.name not in ("Minimize", "Maximize", "Close") and node.deeds()]
        reached, first = [], None
        for _ in range(40):
            before, here = self.move("Tab")
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

    def is_dark(self):
        environment = self.home.environment
        light = self.brightness()
        environment["ADW_DEBUG_COLOR_SCHEME"] = "prefer-dark"
        try:
            self.start()
        finally:
            del environment["ADW_DEBUG_COLOR_SCHEME"]
        self.expect_signed_in("mona")
        self.picture("dark")
        expect(self.brightness() < 0.4 < light, f"the brightness is {self.brightness()}, and was {light}")

    def brightness(self):
        """Of the window, from 0 to 1."""
        picture = os.path.join(self.home.temporary, "window.png")
        subprocess.run(["import", "-window", self.program.number(), picture], env=self.screen.environment, check=True, timeout=30)
        found = subprocess.run(
            ["convert", picture, "-colorspace", "gray", "-format", "%[fx:mean]", "info:"], capture_output=True, text=True, timeout=30)
        return float(found.stdout)

    def is_used_by_keys(self):
        """Signs out and in again without a pointer."""
        self.reach("push button", "Main Menu")
        self.program.press("Return")
        self.window.find("menu item", "Sign Out")
        for _ in range(6):
            here = self.window.focused()
            if here and here.name == "Sign Out":
                break
            self.move("Down")
        self.program.press("Return")
        self.expect_signed_out()
        reached = self.is_without_keyboard_traps()
        # In a private window, which asks: the person's own browser would know them.
        self.reach("check box", "Private window")
        self.program.press("space")
        self.window.wait("switch that is on", lambda: "checked" in self.window.find("check box", "Private window").states)
        self.reach("push button", "Sign In")
        others = self.others()
        self.program.press("space")
        self.window.find("push button", "Cancel")
        # A browser that is still coming takes the focus, and the key with it.
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
        """Presses a key that leads elsewhere; returns where the keyboard was, and where it is once that has changed."""
        before = here = self.window.focused()
        self.program.press(key)
        end = time.monotonic() + seconds
        while here == before and time.monotonic() < end:
            here = self.window.focused()
        return before, here

    def has_bad_settings(self):
        self.program.close()
        broken = self.home.write("broken.json", '{"provider": "github-app", "client_id": 7}')
        self.start("--settings", broken, "--store", "encrypted")
        self.window.find_label(re.compile(r"client_id|client_secret_file"))
        self.window.find_label(re.compile(r"broken\.json"))
        self.picture("settings-with-an-error")
        # Mended while the window is there.
        with open(self.settings) as good, open(broken, "w") as file:
            shutil.copyfileobj(good, file)
        self.window.click("push button", "Try Again")
        self.window.find("push button", "Sign In")
        self.program.close()

    def is_pasted(self, server):
        """In a private window, whose address is copied as a person does: the code is in it."""
        self.pinned = self.write_settings(
            "pinned", "anilist-with-secret", server, server["clients"]["confidential"], redirect_uri=f"{server['base']}/api/v2/oauth/pin")
        self.start("--settings", self.pinned, "--store", "encrypted")
        self.window.find("check box", "Private window").do("toggle")
        others, before = self.others(), set(self.browsers())
        self.window.click("push button", "Sign In")
        self.window.find_label("Copy what the page shows")
        page = others.wait_for_page("login")
        self.fill_field(lambda: self.program.type("https://elsewhere.example/"))
        self.program.press("Return")
        self.window.find_label("This address is another one: paste what the page shows.")
        self.picture("pasted-something-else")
        Person(others, server["users"][0]).sign_in(lambda: True, last="pin")
        self.fill_field(lambda: (others.press(page, "ctrl+l", "ctrl+c"), self.program.press("ctrl+v")))
        self.picture("pasted")
        self.program.press("Return")
        self.window.find("push button", "Sign Out")
        self.window.find_label(server["users"][0]["username"])
        self.desktop.until(lambda: set(self.browsers()) <= before, "end of the private window")
        self.window.click("push button", "Sign Out")
        self.window.find("push button", "Sign In")

    def fill_field(self, fill):
        """Until there is something to go on with: a window that has just come may not take keys yet."""
        end = time.monotonic() + PATIENCE
        while not any("sensitive" in node.states for node in self.window.look("push button", "Continue")):
            expect(time.monotonic() < end, "nothing comes into the field")
            fill()
            time.sleep(0.5)

    def lacks_browser(self, server):
        browser = self.home.environment["BROWSER"]
        self.home.environment["BROWSER"] = "no-such-browser"
        try:
            self.start("--settings", self.pinned, "--store", "encrypted")
        finally:
            self.home.environment["BROWSER"] = browser
        self.window.click("push button", "Sign In")
        self.window.find_label("The sign-in page cannot be shown.")
        self.window.find_label(re.compile("No-such-browser is not installed. Install a browser"))
        self.window.find("push button", "Sign In")
        self.picture("no-browser")
        self.program.close()

    def shows_viewer(self, server):
        client = server["clients"]["public"]
        settings = self.write_settings("anilist", "anilist", server, client, redirect_uri=client["redirect_uris"][0])
        self.start("--settings", self.settings, "--settings", settings, "--store", "encrypted")
        self.window.find("combo box", "Service")
        self.choose("Service", "AniList")
        self.window.find_label("Sign in to AniList")
        self.picture("two-services")
        self.sign_in(server["users"][0])
        self.window.find_label(server["users"][0]["username"])
        expect(len(self.desktop.files_of_records()) == 1, f"{self.desktop.files_of_records()}")
        self.picture("viewer")
        self.window.click("push button", "Sign Out")
        self.window.find("push button", "Sign In")
        self.desktop.until(lambda: not self.desktop.files_of_records(), "store without a record")
        self.program.close()

    def choose(self, row, choice):
        """In a list that opens: by keys, which is all that GTK's accessibility has for it. It says nowhere that the list is open."""
        end = time.monotonic() + PATIENCE
        while not self.window.says(f"Sign in to {choice}", seconds=3):
            expect(time.monotonic() < end, f"{choice} cannot be chosen; {self.window.summary()}")
            self.reach("combo box", row)
            self.program.press("space")
            time.sleep(0.3)
            self.program.press("Down", "Return")

    def keeps_secrets(self):
        secrets = [self.octocat["password"], self.mona["password"], self.server["clients"]["confidential"]["client_secret"]]
        said = self.everything_said + [self.program.said()]
        expect(len(said) > 100, "hardly anything was said")
        for text in said:
            expect(not any(secret in text for secret in secrets + self.tokens), "a secret is said")
            expect(not TOKEN.search(text), "a token is said")

    def remember_tokens(self):
        """Those in the keyring now, so that what is searched for later is known to be real."""
        found = subprocess.run(
            ["secret-tool", "search", "--all", "xdg:schema", "authhub.Credential"], env=self.home.environment, capture_output=True,
            text=True, errors="replace", timeout=60)
        self.tokens = TOKEN.findall(found.stdout)
        expect(self.tokens, "there is no token in the keyring that looks like one")
