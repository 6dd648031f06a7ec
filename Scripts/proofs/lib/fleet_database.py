"""The PostgreSQL server of a fleet, which can be killed."""
import contextlib
import glob
import os
import pathlib
import pwd
import shutil
import subprocess
import tempfile
import time

from outside import PATIENCE, expect


class Database:
    """A PostgreSQL server for this proof only."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="authhub-fleet-", dir=os.environ.get("AUTHHUB_PROOF_FOLDER", "/tmp"))
        os.chmod(self.folder, 0o755)
        user = pwd.getpwnam("postgres") if os.geteuid() == 0 else None
        self.prefix = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", "env", "HOME=/tmp"] if user else []
        if user:
            os.chown(self.folder, user.pw_uid, user.pw_gid)
        self.run("initdb", "-D", self.data, "-A", "trust", "-U", "authhub", "--no-sync", "-E", "UTF8", "--locale=C")
        self.options = self.configure()
        self.start()

    def configure(self):
        """Additional options of the server, once its folder exists."""
        return "-c listen_addresses="

    data = property(lambda self: os.path.join(self.folder, "data"))
    connection = property(lambda self: f"host={self.folder} dbname=postgres user=authhub")

    @staticmethod
    def absence():
        if not Database.programs():
            return "there is no PostgreSQL server here (Debian: postgresql-15)"
        if os.geteuid() == 0 and not any(user.pw_name == "postgres" for user in pwd.getpwall()):
            return "there is no user postgres, and PostgreSQL refuses to run as root"
        return None

    @staticmethod
    def programs():
        found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb")) or [path for path in [shutil.which("initdb")] if path]
        return os.path.dirname(found[-1]) if found else None

    def run(self, program, *words):
        command = [*self.prefix, os.path.join(self.programs(), program), *words]
        result = subprocess.run(command, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        expect(result.returncode == 0, f"{program}: {result.stdout} {result.stderr}")
        return result.stdout

    def start(self):
        options = f"-k {self.folder} {self.options} -c max_connections=200 -c shared_buffers=32MB -c dynamic_shared_memory_type=mmap"
        log = os.path.join(self.folder, "log")
        # Its input and output are not ours: pg_ctl's server would keep them open.
        command = [*self.prefix, os.path.join(self.programs(), "pg_ctl"), "-D", self.data, "-l", log, "-w", "-t", str(PATIENCE)]
        code = subprocess.run(
            [*command, "-o", options, "start"], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL).returncode
        expect(code == 0, f"PostgreSQL does not start: {pathlib.Path(log).read_text()[-400:]}")

    def kill(self):
        """Kills all its processes at the same time, as in a failure of the machine."""
        lock = pathlib.Path(self.data, "postmaster.pid")
        leader = int(lock.read_text().split()[0])
        os.kill(leader, 19)
        processes = [*map(int, pathlib.Path(f"/proc/{leader}/task/{leader}/children").read_text().split()), leader]
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, 9)
        while any(self.is_running(process) for process in processes):
            time.sleep(0.01)
        # If no process reaps the dead, the next server would mistake the process ID in this file for that of a running one.
        for path in [str(lock), *glob.glob(os.path.join(self.folder, ".s.*"))]:
            os.unlink(path)

    @staticmethod
    def is_running(process):
        try:
            return "Z" not in pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return False

    def cut_connection(self):
        """Closes the connection of one of the fleet's processes."""
        self.run(
            "psql", "-h", self.folder, "-U", "authhub", "-d", "postgres", "-qAt", "-c",
            "SELECT pg_terminate_backend(pid) FROM (SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'"
            " AND pid <> pg_backend_pid() ORDER BY random() LIMIT 1) AS one")

    def end(self):
        with contextlib.suppress(Exception):
            self.run("pg_ctl", "-D", self.data, "-m", "immediate", "-w", "stop")
        shutil.rmtree(self.folder, ignore_errors=True)
