"""FastMCP in a separate process."""
import os
import pathlib
import subprocess
import sys

from outside import LIBRARY, free_ports


class FastMCP:
    """A server at one port, whose script writes a log."""

    def __init__(self, home, script, *arguments, stdin=subprocess.DEVNULL):
        self.port, self.log = free_ports(1)[0], pathlib.Path(home.path, "server.log")
        self.url = f"http://127.0.0.1:{self.port}/mcp"
        self.log.touch()
        self.errors = open(os.path.join(home.path, "server.errors"), "w+")
        self.process = subprocess.Popen(
            [sys.executable, str(LIBRARY / script), str(self.port), str(self.log), *arguments], env=home.environment, cwd=home.path,
            stdin=stdin, stdout=self.errors, stderr=self.errors)

    def listens(self):
        return f"{self.port:04X} 00000000:0000 0A" in pathlib.Path("/proc/net/tcp").read_text()

    def __enter__(self):
        return self
