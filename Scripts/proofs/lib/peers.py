"""Third-party authorization servers, started by the scripts in $PEERS (start-NAME.sh), with a scripted user (browser.sh)."""
import json
import os
import pathlib
import subprocess
import time

from outside import PATIENCE, expect, free_ports

PEERS = pathlib.Path(os.environ.get("PEERS", ""))


def is_there(name):
    return bool(os.environ.get("PEERS")) and (PEERS / f"start-{name}.sh").exists()


class OtherServer:
    """A server that runs in a folder, for a client at its own port."""

    def __init__(self, name, folder, **settings):
        self.name, self.folder = name, folder
        # The script waits for it for half a minute, which may be too short on a busy machine.
        for attempt in range(3):
            port, self.redirect_port = free_ports(2)
            run = subprocess.run(
                [PEERS / f"start-{name}.sh", folder, str(port)], env=dict(os.environ, REDIRECT_PORT=str(self.redirect_port), **settings),
                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=900)
            if run.returncode == 0:
                break
            self.stop()
            time.sleep(attempt)
        expect(run.returncode == 0, f"start-{name}.sh: {run.stderr[-400:]}")
        self.description = json.loads(run.stdout)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        subprocess.run([PEERS / "stop.sh", self.folder], stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE)

    @property
    def browser_environment(self):
        # browser.sh needs the user's real home folder, which contains its Python environment.
        return {"PEER_SERVER": f"{self.folder}/server.json", "PEER_LOG": f"{self.folder}/user.log"}
