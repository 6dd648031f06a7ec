"""A user who follows docs/tool.md from the package to the clone of a private repository. Scripts/clone-in-clean-root runs it in a new system.

The commands are read from docs/tool.md. Only what a local server needs is different: its URL, and the persona of GitHub.
"""
import http.client
import os
import pathlib
import re
import shlex
import subprocess
import threading
import time
from urllib.parse import quote, urlsplit

from git_server import GitServer, Handler, ProcessWatch
from outside import PATIENCE, ROOT, expect

LIMIT = 120
HOME = pathlib.Path(os.environ["HOME"])
FIRST_COMMIT = "commit refs/heads/main\ncommitter Mona <mona@example.com> 1000000000 +0000\ndata 5\nfirst\nM 644 inline file\ndata 7\ncontent\n"
SIMULATED_USER = pathlib.Path(__file__).resolve().parent / "simulated_user.py"


def documented(start):
    """Returns the only command in docs/tool.md that starts with these words, without its comment."""
    blocks = re.findall(r"^```sh\n(.*?)^```", (ROOT / "docs/tool.md").read_text(), re.M | re.S)
    found = [line for block in blocks for line in block.splitlines() if line.startswith(start)]
    expect(len(found) == 1, f"docs/tool.md has {len(found)} commands that start with {start!r}")
    return re.sub(r"\s+#.*", "", found[0])


class FrontHandler(Handler):
    """Repositories by git's http-backend, and all other pages by the development server, whose URL is replaced in its responses."""

    def answer(self):
        if ".git/" in self.path:
            return super().answer()
        connection = http.client.HTTPConnection(urlsplit(self.server.issuer["base"]).netloc, timeout=PATIENCE)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        connection.request(self.command, self.path, body, {
            name: value for name, value in self.headers.items() if name.lower() not in ("host", "connection", "content-length")})
        response = connection.getresponse()
        content = self.own(response.read().decode()).encode()
        kept = [
            (name, self.own(value)) for name, value in response.getheaders()
            if name.lower() not in ("content-length", "transfer-encoding", "connection")]
        return self.reply(response.status, kept, content)

    def own(self, text):
        for form in [str, lambda url: quote(url, safe="")]:
            text = text.replace(form(self.server.issuer["base"]), form(self.server.url))
        return text

    do_DELETE = Handler.do_GET


class FrontServer(GitServer):
    """Sign-in, API and repositories at one origin, as at GitHub."""

    handler = FrontHandler


class Newcomer:
    """Types commands into a shell, and measures the time of each."""

    def __init__(self):
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(HOME), "LANG": "C.UTF-8", "GIT_TERMINAL_PROMPT": "0"}
        self.total = 0.0

    def type(self, command, answer="", shown=None, succeeds=True):
        # There is no sudo in a new system, and its only user is root.
        start = time.monotonic()
        result = subprocess.run(
            ["bash", "-c", f'sudo() {{ "$@"; }}; {command}'], env=self.environment, cwd=HOME, input=answer, capture_output=True, text=True,
            timeout=PATIENCE)
        seconds = time.monotonic() - start
        self.total += seconds
        expect((result.returncode == 0) == succeeds, f"{command}: exit code {result.returncode}: {result.stderr[-800:]}")
        print(f"{seconds:6.1f} s  {shown or command}", flush=True)
        return result.stdout


class Serving:
    """`authhub serve`, as in a second terminal."""

    def __init__(self, newcomer, command):
        words = re.sub("--persona oidc --port [0-9]+", "--persona github-app", command)
        expect(words != command, f"the command for the development server is {command}")
        self.shown, start = "", time.monotonic()
        self.process = subprocess.Popen(
            shlex.split(words), env=newcomer.environment, cwd=HOME, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        killer = threading.Timer(PATIENCE, self.process.kill)
        killer.start()
        for line in self.process.stdout:
            self.shown += line
            if line.startswith("sign in"):
                break
        killer.cancel()
        newcomer.total += time.monotonic() - start
        print(f"{time.monotonic() - start:6.1f} s  {words}", flush=True)

    def field(self, pattern):
        found = re.search(pattern, self.shown, re.M)
        expect(found, f"authhub serve does not show {pattern}: {self.shown}")
        return found[1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(PATIENCE)


def files_with(text):
    """Returns the files in the system that contain the text, apart from those of the packages."""
    found = []
    for folder in ["/root", "/tmp", "/var/tmp", "/etc", "/run", "/opt"]:
        for path in pathlib.Path(folder).rglob("*"):
            if path.is_file() and not path.is_symlink() and text.encode() in path.read_bytes():
                found.append(str(path))
    return found


def main():
    newcomer = Newcomer()
    install, serve = documented("sudo apt install"), documented("authhub serve --persona oidc")
    setup, clone = documented("authhub setup git"), documented("git clone")
    newcomer.type(install, answer="y\n")
    with Serving(newcomer, serve) as serving, FrontServer({"base": serving.field(r"^issuer +(\S+)$")}) as server, ProcessWatch() as watch:
        server.create("OWNER/REPOSITORY.git")
        subprocess.run(
            ["git", "-C", f"{server.root}/OWNER/REPOSITORY.git", "fast-import", "--quiet"], input=FIRST_COMMIT, text=True, check=True)
        clone = clone.replace("https://github.com", server.url)
        newcomer.type(clone, succeeds=False, shown=f"{clone} (without a sign-in, the repository is private)")
        expect(not server.tokens, "a token was sent before the sign-in")

        user, password = re.search(r"^user +(\S+), password (\S+)$", serving.shown, re.M).groups()
        (HOME / "user.json").write_text(f'{{"login": "{user}", "password": "{password}"}}')
        newcomer.environment.update(AUTHHUB_BROWSER=str(SIMULATED_USER), PROOF_USER=str(HOME / "user.json"))
        login = serving.field(r"^sign in +(authhub login .*)$").replace(server.issuer["base"], server.url)
        newcomer.type(login, answer=serving.field(r"^ +(\S+) +its secret"))
        newcomer.type(setup)
        newcomer.type(clone)
        expect((HOME / "REPOSITORY/file").read_text() == "content", "the clone is not complete")
        print(f"{newcomer.total:6.1f} s  in total", flush=True)

        expect(len(server.tokens) == 1, f"{len(server.tokens)} tokens were sent")
        token = server.tokens.copy().pop()
        expect(newcomer.type("authhub token").strip() == token, "authhub token prints another token")
        found = watch.end()
        expect(found.processes > 5 and not found.contains(token), "the token is in the arguments or the environment of a process")
        expect(not files_with(token), f"the token is in {files_with(token)}")
        (HOME / "planted").write_text(f"x{token}x")
        expect(files_with(token) == [str(HOME / "planted")], "a token in a file is not found")
        (HOME / "planted").unlink()
        newcomer.type("authhub logout")
        newcomer.type(clone + " again", succeeds=False, shown=f"{clone} (signed out)")
    expect(newcomer.total <= LIMIT, f"the steps took {newcomer.total:.0f} s, more than {LIMIT} s")


main()
