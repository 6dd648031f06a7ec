"""git in a separate terminal, and a browser in which a user signs in when git's credential helper asks."""
import os
import pathlib
import pty
import select
import time

from outside import PATIENCE

SIMULATED_USER = pathlib.Path(__file__).resolve().parent / "simulated_user.py"


class GitTerminal:
    """Runs shell commands with a controlling terminal, and counts the sign-in pages that open."""

    def __init__(self, git, decision):
        self.opened = os.path.join(git.home.path, "opened")
        browser = git.home.write("browser", f'#!/bin/sh\necho page >>"{self.opened}"\nexec python3 "{SIMULATED_USER}" "$1"\n')
        os.chmod(browser, 0o700)
        user = git.home.user(login="octocat", password="octocat-password", decision=decision)
        self.environment = {name: value for name, value in git.environment.items() if name != "GIT_TERMINAL_PROMPT"}
        self.environment.update(PROOF_USER=user["PROOF_USER"], AUTHHUB_BROWSER=browser, NO_COLOR="1")
        self.folder = git.home.path

    def run(self, script):
        """Returns the exit status and what the terminal showed."""
        if os.path.exists(self.opened):
            os.remove(self.opened)
        process, terminal = pty.fork()
        if process == 0:
            os.chdir(self.folder)
            os.execve("/bin/sh", ["sh", "-c", script], self.environment)
        shown, end = b"", time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if not select.select([terminal], [], [], 1)[0]:
                continue
            try:
                shown += os.read(terminal, 65536)
            except OSError:  # All programs have closed the terminal.
                break
        else:
            os.kill(process, 9)
        _, status = os.waitpid(process, 0)
        os.close(terminal)
        return os.waitstatus_to_exitcode(status), shown.decode("utf-8", "replace")

    @property
    def pages(self):
        return len(pathlib.Path(self.opened).read_text().split()) if os.path.exists(self.opened) else 0
