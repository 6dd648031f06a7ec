"""Callbacks of a custom scheme through a handler that is registered with the desktop: from any browser to the waiting process."""
import shutil
import subprocess

from outside import AUTHHUB, PATIENCE, expect, succeed
from simulated_user import SimulatedUser
from web_sign_in import Place, SignIn

SCHEME = "com.example.authhub"
CALLBACK = f"{SCHEME}:/callback"
# How URLs are opened: with a desktop session, and without.
OPENERS = {"xdg-open": ["xdg-open"], "gio open": ["gio", "open"]}


def registered_scheme(report, server, screen):
    missing = [command[0] for command in OPENERS.values() if not shutil.which(command[0])]
    if missing:
        return report.skip("registered scheme", f"{', '.join(missing)} not installed")
    for name, check in {
        "two concurrent sign-ins with different openers, whose callbacks arrive in the opposite order: each gets its own": crossed,
        "a callback that no sign-in waits for: 7": no_sign_in_waits,
        "URLs that look like the callback reach no sign-in": look_alikes,
        "a killed sign-in is finished by authhub callback -": killed,
        "the scheme of another program is registered only with --force": claimed,
    }.items():
        report.check(f"registered scheme: {name}", lambda: run(server, screen, check))


def run(server, screen, check):
    with Place(screen.display) as place:
        succeed(place.run("handler", "register", SCHEME))
        check(place, server)
        succeed(place.run("handler", "unregister", SCHEME))
        state = succeed(place.run("handler", "status", SCHEME, "-o", "json")).stdout
        expect('"not_registered"' in state, f"after it was unregistered: {state}")
        # The desktop may change these files, as long as they no longer contain the scheme.
        files = {".local/share/applications/mimeinfo.cache", ".config/mimeapps.list"}
        for path in files & set(place.files()):
            with open(f"{place.home.path}/{path}") as file:
                expect(SCHEME not in file.read(), f"{path} still names the scheme")
        place.expect_nothing_left(*files)


def begin(place, server, *arguments):
    """A sign-in whose page is never opened, and the callback to which a user's browser would be redirected."""
    sign_in = SignIn(place, server, "--browser", "true", "--callback", CALLBACK, *arguments)
    url = sign_in.url()
    return sign_in, SimulatedUser(server["user"]["username"], server["user"]["password"]).authorize(url)


def open_by(place, opener, uri):
    return subprocess.run(
        [*OPENERS[opener], uri], env=place.home.environment, cwd=place.home.path, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=PATIENCE)


def crossed(place, server):
    first, to_first = begin(place, server, "--as", "first")
    second, to_second = begin(place, server, "--as", "second")
    expect(to_first.startswith(f"{CALLBACK}?"), to_first)
    open_by(place, "xdg-open", to_second)
    second.ends(0, "Signed in")
    expect(first.alive(), "the callback of the second ended the first")
    open_by(place, "gio open", to_first)
    first.ends(0, "Signed in")
    for label in ("first", "second"):
        place.expect_signed_in("--as", label)


def no_sign_in_waits(place, server):
    sign_in, callback = begin(place, server)
    open_by(place, "xdg-open", callback)
    sign_in.ends(0, "Signed in")
    for uri in (callback, f"{CALLBACK}?code=c&state=s"):
        result = place.run("callback", uri)
        expect(result.returncode == 7 and "no sign-in is waiting" in result.stderr, f"{result.returncode} {result.stderr}")
    place.expect_signed_in()


def look_alikes(place, server):
    sign_in, callback = begin(place, server)
    query = callback.partition("?")[2]
    for address in (f"{SCHEME}:/callback2", f"{SCHEME}:/callback/", f"{SCHEME}://callback", f"{SCHEME}x:/callback"):
        result = place.run("callback", f"{address}?{query}")
        expect(result.returncode == 7, f"{address}: exit status {result.returncode} {result.stderr}")
        expect(sign_in.alive(), f"{address} ended the sign-in")
    succeed(place.run("callback", callback))
    sign_in.ends(0, "Signed in")


def killed(place, server):
    sign_in, callback = begin(place, server)
    sign_in.process.kill()
    sign_in.ends(-9)
    expect(place.run("token").returncode != 0, "there is a token already")
    result = subprocess.run(
        [AUTHHUB, "callback", "-"], env=place.home.environment, cwd=place.home.path, input=callback, capture_output=True,
        text=True, timeout=PATIENCE)
    expect(result.returncode == 0 and "Signed in" in result.stderr, f"{result.returncode} {result.stderr}")
    place.expect_signed_in()


def claimed(place, server):
    list_path = f"{place.home.path}/.config/mimeapps.list"
    succeed(place.run("handler", "unregister", SCHEME))
    with open(list_path, "w") as file:
        file.write(f"[Default Applications]\nx-scheme-handler/{SCHEME}=other.desktop\n")
    result = place.run("handler", "register", SCHEME)
    expect(result.returncode == 1 and "other.desktop" in result.stderr, f"{result.returncode} {result.stderr}")
    succeed(place.run("handler", "register", SCHEME, "--force"))
