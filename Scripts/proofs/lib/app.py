"""The test of the window for Linux, run by Scripts/proofs/app."""
import os
import shutil
import signal
import subprocess
import sys
import time

import app_day as day
import app_services as services
from app_program import Server, smallest_program, start_up
from app_story import PICTURES, REPOSITORIES, Story
from desktop import Desktop
from others import free_ports
from outside import PATIENCE, ROOT, Report, expect
from web_sign_in import command_of


def measure(desktop, story):
    ours, (rss, pss) = start_up(desktop, "--settings", story.settings, "--store", "encrypted")
    print(f"start to the button: {ours:.2f} s; memory there: {rss:.0f} MiB resident, {pss:.0f} MiB private", file=sys.stderr)
    print(f"with {REPOSITORIES} rows: {story.memory[0]:.0f} MiB resident, {story.memory[1]:.0f} MiB private", file=sys.stderr)
    smallest = smallest_program(desktop.home)
    if smallest:
        least, (rss, pss) = start_up(desktop, program=smallest)
        print(f"the smallest libadwaita program: {least:.2f} s, {rss:.0f} MiB resident, {pss:.0f} MiB private", file=sys.stderr)
        print(f"ours is {ours / least:.2f} times its time, with rows {story.memory[0] / rss:.2f} and {story.memory[1] / pss:.2f} times "
              "its memory", file=sys.stderr)


def entry_is_valid():
    found = subprocess.run(
        ["desktop-file-validate", ROOT / "Apps/GTK/Desktop/io.github.authhub.App.desktop"], capture_output=True, text=True,
        timeout=PATIENCE)
    expect(found.returncode == 0 and not found.stdout, found.stdout + found.stderr)


def end_own_browser(desktop):
    """The user closes it: the only one that is left, as checked before."""
    def browsers():
        return [pid for pid in desktop.running() if "chrom" in command_of(pid)]

    for pid in browsers():
        try:
            os.kill(pid, signal.SIGTERM)
        except ProcessLookupError:
            continue
    desktop.until(lambda: not browsers(), "end of the user's own browser")


def tell(report, desktop):
    with Server(desktop.home, persona="github", accessTokens=day.LIFETIME, repositories=REPOSITORIES) as server:
        story = Story(desktop, server)

        def check(name, step, *given):
            began = time.monotonic()
            failures = report.failures
            value = report.check(name, lambda: step(story, *given))
            print(f"  {time.monotonic() - began:.1f} s", file=sys.stderr)
            if report.failures > failures:
                story.screen.picture(PICTURES / f"failed-{report.failures}.png")
                (PICTURES / f"failed-{report.failures}.txt").write_text(story.window.tree() if story.program else "")
            return value

        try:
            check("the app starts with the sign-in screen, and says why", day.begins)
            check("while the app waits for the browser: its page opens elsewhere by a copied address, and again, and Cancel ends the sign-in",
                  day.cancels)
            check("a user signs in with Chromium, and sees their repositories", day.signs_in)
            check("the window comes to the front when the sign-in is done", day.is_raised)
            check("the search for tokens finds those that are stored", day.remember_tokens)
            check(f"scrolling reads {REPOSITORIES} repositories, and shows their number at the end; words filter them", day.lists)
            check("every control of the list's screen is reached by Tab", Story.is_without_keyboard_traps)
            check("tokens that are valid for a few seconds: Refresh, F5 and Ctrl+R refresh them without the user", day.refreshes)
            check("a server that is down: the app says so, the user stays signed in, and Try Again works later", day.goes_down)
            check("a revoked grant: the app asks the user to sign in again, says why, and the user can sign in", day.is_revoked)
            check("signing out at GitHub, too: its logout page ends the browser's session, and GitHub asks for the password again",
                  day.signs_out_there_too)
            check("signing out here: the list is gone, the grant is revoked, and nothing is stored", day.signs_out)
            check("another user signs in, in a private window that asks for the password and closes after the sign-in", day.is_another)
            check("closed and started again: still signed in, without a browser, in a window of the same size", day.is_closed)
            check("killed and started again, even after a refresh: still signed in", day.is_killed)
            check("on a dark desktop the window is dark, with the same things in it", day.is_dark)
            check("by keys alone: the menu, signing out, all of the first screen, signing in and cancelling", Story.is_used_by_keys)
            check("settings with an error: the window says where the error is, and Try Again reads the corrected settings",
                  services.has_bad_settings)
            check("without settings: the user types what the provider shows, and can sign in", services.has_no_settings)
            check("a key that is held begins a sign-in, and does not cancel it", services.is_held)
            redirect = f"http://127.0.0.1:{free_ports(1)[0]}/callback"
            with Server(desktop.home, persona="anilist") as anilist:
                check("a sign-in without a callback: the user pastes what AniList's page shows, and the app asks again for anything else",
                      services.is_pasted, anilist)
                check("without a browser: the app says so at once, and what to do", services.lacks_browser, anilist)
            with Server(desktop.home, persona="anilist", redirectURI=redirect) as anilist:
                check("AniList as a second service, in encrypted files: the user's name, switching to GitHub and back, and signing out", services.shows_viewer, anilist)
            with Server(desktop.home, persona="google") as google:
                check("a provider's verified ID token: the user's name, and the picture that it names", services.shows_identity, google)
            check("no token, password or secret in output, command lines, or text for screen readers", day.keeps_secrets)
        finally:
            if story.program:
                story.program.__exit__()
        try:
            measure(desktop, story)
        except Exception as error:  # figures for humans, which are not checked
            print(f"not measured: {type(error).__name__}: {error}", file=sys.stderr)


def main():
    report, began = Report(), time.monotonic()
    shutil.rmtree(PICTURES, ignore_errors=True)
    if shutil.which("desktop-file-validate"):
        report.check("the desktop entry is valid", entry_is_valid)
    else:
        report.skip("the desktop entry", "desktop-file-utils is not installed")
    desktop, left = Desktop(), []
    try:
        tell(report, desktop)
        end_own_browser(desktop)
    finally:
        left += desktop.end()
    report.check("nothing that the window has started is left running", lambda: expect(not left, f"{left}"))
    print(f"{time.monotonic() - began:.0f} s in all; screenshots: {PICTURES}", file=sys.stderr)
    report.end()


main()
