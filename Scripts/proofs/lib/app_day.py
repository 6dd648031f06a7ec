"""A user's day with the window for Linux, step by step in order, with GitHub as imitated by the development server."""
import os
import re
import subprocess
import sys
import time
import urllib.request

from app_story import PICTURES, REPOSITORIES
from outside import PATIENCE, expect

# The lifetime of access tokens in seconds: longer than the steps of one check take on a busy machine.
LIFETIME = 15
TOKEN = re.compile(r"\bgh[a-z]_[A-Za-z0-9]{20,}")


def begins(story):
    story.start()
    story.window.find_label("Sign in to GitHub")
    story.window.find_label(re.compile(r"permission .* at GitHub"))
    story.window.find("push button", "Sign In")
    story.window.find("check box", "Private window")
    expect(not story.window.look("combo box", "Service"), "there is a choice of one service")
    story.picture("start")


def cancels(story):
    story.window.click("push button", "Sign In")
    story.window.find_label("Waiting for you in the browser…")
    story.window.find("push button", "Cancel")
    expect(not story.window.look("push button", "Sign In"), "the button is still there")
    page = story.screen.wait_for_page("login")
    story.picture("waiting")
    opens_the_page_elsewhere(story)
    page = opens_the_page_again(story, page)
    story.window.click("push button", "Cancel")
    story.window.find("push button", "Sign In")
    expect(not story.window.look("push button", "Cancel"), "there is still something to cancel")
    expect(story.server.counts()["signIns"] == 0, "a user was signed in")
    story.screen.close(page, "ctrl+w")


def opens_the_page_elsewhere(story):
    """Asks for the copied address as another browser would."""
    story.window.click("push button", "Copy Address")
    story.desktop.until(story.screen.clipboard, "address in the clipboard")
    with urllib.request.urlopen(story.screen.clipboard(), timeout=PATIENCE) as page:
        text = page.read().decode()
    expect("<title>Sign in" in text, f"the copied address leads to {text[:200]}")


def opens_the_page_again(story, page):
    story.screen.close(page, "ctrl+w")
    story.window.click("push button", "Open Again")
    return story.screen.wait_for_page("login")


def signs_in(story):
    pages = story.sign_in(story.octocat, page="browser")
    expect(pages[:2] == ["login", "consent"], f"the pages were {pages}")
    story.expect_signed_in("octocat")
    story.window.find_label("The Octocat")
    expect(story.server.counts()["signIns"] == 1, f"{story.server.counts()}")
    expect(len(story.desktop.records()) == 1, f"the keyring holds {story.desktop.records()}")


def is_raised(story):
    story.desktop.until(
        lambda: story.screen.xdotool("getactivewindow", "getwindowname").strip() == "AuthHub", "window AuthHub in front")
    story.picture("signed-in")


def remember_tokens(story):
    """Returns the current secrets in the keyring, so that the later search is for real values."""
    found = subprocess.run(
        ["secret-tool", "search", "--all", "xdg:schema", "authhub.Credential"], env=story.home.environment, capture_output=True,
        text=True, errors="replace", timeout=PATIENCE)
    story.tokens = TOKEN.findall(found.stdout)
    expect(story.tokens, "there is no token in the keyring that looks like one")


def lists(story):
    first = len(story.rows("octocat"))
    expect(0 < first < REPOSITORIES, f"{first} rows before scrolling")
    grown = story.read_to_the_end()
    names = [row.name for row in story.rows("octocat")]
    expect(len(names) == REPOSITORIES == len(set(names)), f"{len(names)} rows, {len(set(names))} names")
    expect("octocat/Hello-World" in names, f"{names[:5]}")
    private = next(row for row in story.rows("octocat") if row.name == "octocat/boysenberry")
    expect("private" in private.says().lower(), f"{private.says()}")
    story.program.press("End")
    story.picture("end-of-list")
    filters(story, [name for name in names if "boysen" in name])
    story.memory = story.program.memory()
    print(f"rows while scrolling: {grown}; pages requested: {story.server.counts()['lists']}", file=sys.stderr)


def filters(story, wanted):
    """By keys: types a part of a name, then a word that nothing has; Escape shows all again."""
    story.program.press("ctrl+f")
    story.program.type("BOYSEN")
    story.window.find_label(f"{len(wanted)} of {REPOSITORIES} repositories")
    found = [row.name for row in story.rows("octocat")]
    expect(0 < len(wanted) < REPOSITORIES and found == wanted, f"{found}, not {wanted}")
    story.picture("filtered")
    story.program.type(" zzz")
    story.window.find_label(f"0 of {REPOSITORIES} repositories")
    story.program.press("Escape")
    story.window.find_label(f"{REPOSITORIES} repositories")


def refreshes(story):
    before = story.server.counts()
    # The only event to wait for here is the passing of time.
    time.sleep(LIFETIME + 0.5)
    story.refresh()
    story.expect_signed_in("octocat")
    after = story.server.counts()
    expect(after["refreshes"] > before["refreshes"], f"no token was refreshed: {after}")
    expect((after["signIns"], after["pages"]) == (before["signIns"], before["pages"]), f"the user was asked to sign in: {before} {after}")
    story.program.press("F5")
    story.window.wait("page by F5", lambda: story.server.counts()["lists"] > after["lists"])
    now = story.server.counts()["lists"]
    story.program.press("ctrl+r")
    story.window.wait("page by Ctrl+R", lambda: story.server.counts()["lists"] > now)
    expect(not story.window.look("push button", "Try Again"), "there is a problem")
    story.picture("refreshed")


def goes_down(story):
    story.server.do("down")
    story.window.click("push button", "Refresh")
    story.window.find_label(re.compile("cannot be reached"))
    story.window.find_label(re.compile("still signed in"))
    story.window.find("push button", "Try Again")
    expect(story.rows("octocat"), "the list is gone")
    story.picture("server-down")
    story.server.do("up")
    story.window.click("push button", "Try Again")
    story.window.expect_gone("push button", "Try Again")
    story.expect_signed_in("octocat")
    expect(not [node for node in story.window.nodes() if "cannot be reached" in node.name], "the problem is still told")
    story.picture("server-up")


def is_revoked(story):
    story.server.do("revoke")
    story.window.click("push button", "Refresh")
    story.window.find_label("Sign in to GitHub")
    story.window.find_label(re.compile("no longer valid"))
    story.expect_signed_out()
    story.desktop.until(lambda: not story.desktop.records(), "keyring without the revoked record")
    story.picture("revoked")
    pages = story.sign_in(story.octocat)
    expect("login" not in pages, f"the browser asked for the password again: {pages}")
    story.expect_signed_in("octocat")
    expect(not [node for node in story.window.nodes() if "no longer valid" in node.name], "the problem is still told")


def signs_out(story):
    # With a valid access token: GitHub's revocation does not find an expired one.
    story.refresh()
    revocations = story.server.counts()["revocations"]
    story.sign_out()
    story.window.wait("revocation", lambda: story.server.counts()["revocations"] > revocations)
    story.desktop.until(lambda: not story.desktop.records() and not story.desktop.files_of_records(), "stores without a record")
    story.picture("signed-out")


def signs_out_there_too(story):
    """In the user's own browser, whose session ends on the server's page: the next sign-in asks for the password."""
    story.refresh()
    before = story.server.counts()
    story.window.click("push button", "Main Menu")
    story.window.find("menu item", "Sign Out Here")
    story.picture("ways-to-sign-out")
    story.window.click("menu item", "Sign Out at GitHub Too")
    story.expect_signed_out()
    page = story.screen.wait_for_page("sign out")
    story.number += 1
    story.screen.is_in_front(page)
    story.screen.picture(PICTURES / f"{story.number:02d}-log-out-page.png")
    # A page that has just appeared may not accept keys yet.
    end = time.monotonic() + PATIENCE
    while story.screen.page()[0] != "signed out":
        expect(time.monotonic() < end, "the server does not sign out")
        story.screen.press(page, "alt+s")
        time.sleep(0.5)
    story.screen.close(page, "ctrl+w")
    expect(story.server.counts()["revocations"] > before["revocations"], "the tokens were not revoked")
    pages = story.sign_in(story.octocat)
    expect(pages[:1] == ["login"], f"the browser was still signed in: {pages}")
    story.expect_signed_in("octocat")


def is_another(story):
    """In a private window: the user's own browser would have octocat's session."""
    switch = story.window.find("check box", "Private window")
    switch.do("toggle")
    story.window.wait("switch that is on", lambda: "checked" in story.window.find("check box", "Private window").states)
    before = set(story.browsers())
    pages = story.sign_in(story.mona, page="private-window", screen=story.others())
    expect("login" in pages, f"the browser did not ask for a password: {pages}")
    story.expect_signed_in("mona")
    story.window.find_label("Mona Lisa Octocat")
    expect(not story.rows("octocat"), "another's repositories are listed")
    story.picture("another-user")
    story.desktop.until(lambda: set(story.browsers()) <= before, "end of the private window")


def is_closed(story):
    before, (width, height) = story.server.counts(), story.program.size()
    left = (width + 90, height - 120)
    story.screen.xdotool("windowsize", story.program.number(), *map(str, left))
    story.window.wait("window of another size", lambda: story.program.size() == left)
    story.program.close()
    story.start()
    story.expect_signed_in("mona")
    expect_not_asked(story, before)
    expect(story.program.size() == left, f"it was left {left}, and begins {story.program.size()}")
    story.picture("restarted")


def is_killed(story):
    before = story.server.counts()
    story.program.kill()
    story.start()
    story.expect_signed_in("mona")
    story.refresh()
    story.program.kill()
    story.start()
    story.expect_signed_in("mona")
    expect_not_asked(story, before)


def expect_not_asked(story, before):
    after = story.server.counts()
    expect((after["signIns"], after["pages"]) == (before["signIns"], before["pages"]), f"the user was asked to sign in: {before} {after}")


def is_dark(story):
    environment = story.home.environment
    light = brightness(story)
    environment["ADW_DEBUG_COLOR_SCHEME"] = "prefer-dark"
    try:
        story.start()
    finally:
        del environment["ADW_DEBUG_COLOR_SCHEME"]
    story.expect_signed_in("mona")
    # There is no event for when the window has been painted.
    story.window.wait(f"dark window, where it was {light} before", lambda: brightness(story) < 0.4 < light)
    story.picture("dark")


def brightness(story):
    """Returns the brightness of the window, from 0 to 1."""
    picture = os.path.join(story.home.temporary, "window.png")
    subprocess.run(["import", "-window", story.program.number(), picture], env=story.screen.environment, check=True, timeout=PATIENCE)
    found = subprocess.run(
        ["convert", picture, "-colorspace", "gray", "-format", "%[fx:mean]", "info:"], capture_output=True, text=True, timeout=PATIENCE)
    return float(found.stdout)


def keeps_secrets(story):
    secrets = [story.octocat["password"], story.mona["password"], story.server["clients"]["confidential"]["client_secret"]]
    said = story.everything_said + [story.program.said()]
    expect(len(said) > 100, "hardly anything was said")
    for text in said:
        expect(not any(secret in text for secret in secrets + story.tokens), "a secret is said")
        expect(not TOKEN.search(text), "a token is said")
