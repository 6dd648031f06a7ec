"""The window for Linux with other settings: an error in them, a code to paste, no browser, a second service."""
import json
import os
import re
import shutil
import time

from outside import PATIENCE, expect
from screen import ScreenUser


def has_bad_settings(story):
    story.program.close()
    broken = story.home.write("broken.json", '{"provider": "github-app", "client_id": 7}')
    story.start("--settings", broken, "--store", "encrypted")
    story.window.find_label(re.compile(r"client_id|client_secret_file"))
    story.window.find_label(re.compile(r"broken\.json"))
    story.picture("settings-with-an-error")
    # Fixed while the window is open.
    with open(story.settings) as good, open(broken, "w") as file:
        shutil.copyfileobj(good, file)
    story.window.click("push button", "Try Again")
    story.window.find("push button", "Sign In")
    story.program.close()


def has_no_settings(story):
    """A new user types what the provider shows; the app saves it, and is ready to sign in."""
    client = story.server["clients"]["confidential"]
    story.start("--store", "encrypted")
    story.window.find_label("Set up a service")
    story.window.find_label("http://127.0.0.1/callback")
    expect("sensitive" not in story.window.find("push button", "Continue").states, "it can go on without a client")
    story.picture("no-settings")
    story.is_without_keyboard_traps()
    # GTK does not expose which of these fields has the focus.
    story.reach("link", "Open the Registration Page")
    story.program.press("Tab")
    story.program.type(client["client_id"])
    story.program.press("Tab")
    story.program.type(client["client_secret"])
    story.window.wait("button to go on", lambda: "sensitive" in story.window.find("push button", "Continue").states)
    story.picture("settings-typed")
    story.program.press("Return")
    story.window.find_label("Sign in to GitHub")
    story.window.find("push button", "Sign In")
    folder = f"{story.home.path}/.config/authhub/app"
    with open(f"{folder}/github-app.json") as file:
        expect(json.load(file)["client_id"] == client["client_id"], "another client is saved")
    for name in ("github-app.json", "github-app.secret"):
        expect(os.stat(f"{folder}/{name}").st_mode & 0o777 == 0o600, f"others can read {name}")
    story.program.close()
    shutil.rmtree(folder)


def is_pasted(story, server):
    """In a private window, whose URL the user copies: the code is in it."""
    story.start("--settings", pin_page(story, server), "--store", "encrypted")
    story.window.find("check box", "Private window").do("toggle")
    others, before = story.others(), set(story.browsers())
    story.window.click("push button", "Sign In")
    story.window.find_label("When you are done, copy the text")
    page = others.wait_for_page("login")
    fill_field(story, lambda: story.program.type("https://elsewhere.example/"))
    story.program.press("Return")
    story.window.find_label("This is another URL; paste the text that the page shows.")
    story.picture("pasted-something-else")
    ScreenUser(others, server["users"][0]).sign_in(lambda: True, last="pin")
    fill_field(story, lambda: (others.press(page, "ctrl+l", "ctrl+c"), story.program.press("ctrl+v")))
    story.picture("pasted")
    story.program.press("Return")
    story.window.find("push button", "Sign Out")
    story.window.find_label(server["users"][0]["username"])
    story.desktop.until(lambda: set(story.browsers()) <= before, "end of the private window")
    story.window.click("push button", "Sign Out")
    story.window.find("push button", "Sign In")


def pin_page(story, server):
    """Returns settings for a page that shows a code to paste."""
    return story.write_settings(
        "pinned", "anilist-with-secret", server, server["clients"]["confidential"], redirect_uri=f"{server['base']}/api/v2/oauth/pin")


def fill_field(story, fill):
    """Fills the field until the user can continue: a new window may not accept keys yet."""
    end = time.monotonic() + PATIENCE
    while not any("sensitive" in node.states for node in story.window.look("push button", "Continue")):
        expect(time.monotonic() < end, "nothing comes into the field")
        fill()
        time.sleep(0.5)


def lacks_browser(story, server):
    start_with_browser(story, "no-such-browser", pin_page(story, server))
    story.window.click("push button", "Sign In")
    story.window.find_label("The sign-in page cannot be shown.")
    story.window.find_label(re.compile("No-such-browser is not installed; install a browser"))
    story.window.find("push button", "Sign In")
    story.picture("no-browser")
    story.program.close()


def is_held(story):
    """A key that repeats: each time, a browser that shows nothing, and so gets no focus, is opened."""
    asked = f"{story.home.path}/asked"
    browser = story.home.write("browser-that-counts", f"#!/bin/sh\necho asked >>{asked}\n")
    os.chmod(browser, 0o700)
    start_with_browser(story, browser, story.settings)
    for key in ("space", "Return"):
        story.window.find("push button", "Sign In")
        story.reach("push button", "Sign In")
        story.program.hold(key)
        story.window.click("push button", "Cancel")
        story.window.find("push button", "Sign In")
    with open(asked) as file:
        count = len(file.readlines())
    expect(count == 2, f"two keys that were held requested {count} pages")
    story.program.close()


def start_with_browser(story, browser, settings):
    own = story.home.environment["BROWSER"]
    story.home.environment["BROWSER"] = browser
    try:
        story.start("--settings", settings, "--store", "encrypted")
    finally:
        story.home.environment["BROWSER"] = own


def shows_viewer(story, server):
    client = server["clients"]["public"]
    settings = story.write_settings("anilist", "anilist", server, client, redirect_uri=client["redirect_uris"][0])
    story.start("--settings", story.settings, "--settings", settings, "--store", "encrypted")
    story.window.find("combo box", "Service")
    story.choose("Service", "AniList")
    story.window.find_label("Sign in to AniList")
    story.picture("two-services")
    story.sign_in(server["users"][0])
    story.window.find_label(server["users"][0]["username"])
    expect(len(story.desktop.files_of_records()) == 1, f"{story.desktop.files_of_records()}")
    story.picture("viewer")
    # To an account that is not signed in, and back.
    story.window.click("push button", "Main Menu")
    story.window.click("menu item", "Switch to GitHub")
    story.window.find_label("Sign in to GitHub")
    story.choose("Service", "AniList", shown=server["users"][0]["username"])
    story.window.click("push button", "Sign Out")
    story.window.find("push button", "Sign In")
    story.desktop.until(lambda: not story.desktop.files_of_records(), "store without a record")
    story.program.close()


def shows_identity(story, server):
    """Shows the name and the picture from the verified ID token."""
    settings = story.write_settings("google", "google", server, server["clients"]["confidential"])
    story.start("--settings", settings, "--store", "encrypted")
    story.window.find_label("Sign in to Google")
    story.sign_in(server["users"][0])
    story.window.find_label("The Octocat")
    story.window.find_label("Picture of The Octocat")
    story.window.find_label("You are signed in at Google.")
    story.picture("identity")
    story.window.click("push button", "Sign Out")
    story.window.find("push button", "Sign In")
    story.desktop.until(lambda: not story.desktop.files_of_records(), "store without a record")
    story.program.close()
