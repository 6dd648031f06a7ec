"""A server for git repositories that accepts the tokens of a development server, and a watch over all processes of the machine."""
import base64
import contextlib
import http.server
import json
import os
import shutil
import subprocess
import tempfile
import threading
import urllib.error
import urllib.request


class GitServer(http.server.ThreadingHTTPServer):
    """Smart HTTP by git's http-backend. A token is the password, or a bearer token if the scheme is set to that."""

    daemon_threads, handler = True, None

    def __init__(self, issuer, root=None):
        super().__init__(("127.0.0.1", 0), self.handler or Handler)
        self.issuer, self.url, self.scheme = issuer, f"http://127.0.0.1:{self.server_port}", "Basic"
        self.own_root = root is None
        self.root = root or tempfile.mkdtemp(prefix="authhub-proof-git-")
        # The tokens since the last clear, and all of them.
        self.tokens, self.all_tokens = set(), set()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()
        if self.own_root:
            shutil.rmtree(self.root, ignore_errors=True)

    def create(self, name):
        path = os.path.join(self.root, name)
        subprocess.run(["git", "init", "--quiet", "--bare", "--initial-branch=main", path], check=True)
        subprocess.run(["git", "-C", path, "config", "http.receivepack", "true"], check=True)

    def accepts(self, token):
        self.tokens.add(token)
        self.all_tokens.add(token)
        request = urllib.request.Request(f"{self.issuer['base']}/user", headers={"Authorization": f"Bearer {token}"})
        try:
            with urllib.request.urlopen(request) as response:
                return response.status == 200
        except urllib.error.HTTPError:
            return False

    def revoke(self, token, all_of_grant=False):
        """Revokes one token, or all that descend from one consent, with the endpoint of the provider that the development server imitates."""
        kind = "grant" if all_of_grant else "token"
        client = self.issuer.client("confidential")
        basic = base64.b64encode(f"{client['client_id']}:{client['client_secret']}".encode()).decode()
        request = urllib.request.Request(
            f"{self.issuer['base']}/applications/{client['client_id']}/{kind}", json.dumps({"access_token": token}).encode(),
            {"Authorization": f"Basic {basic}", "Content-Type": "application/json"}, method="DELETE")
        with urllib.request.urlopen(request) as response:
            response.read()

    def handle_error(self, *_):
        pass  # a client that has closed its connection


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.answer()

    def do_POST(self):
        self.answer()

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        token = self.token()
        if token is None or not self.server.accepts(token):
            return self.reply(401, [("WWW-Authenticate", f'{self.server.scheme} realm="Repositories"')], b"")
        path, _, query = self.path.partition("?")
        environment = {
            "PATH": os.environ["PATH"], "GIT_PROJECT_ROOT": self.server.root, "GIT_HTTP_EXPORT_ALL": "1", "REMOTE_USER": "user",
            "PATH_INFO": path, "QUERY_STRING": query, "REQUEST_METHOD": self.command, "CONTENT_LENGTH": str(len(body)),
            "CONTENT_TYPE": self.headers.get("Content-Type", ""), "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""), "GIT_CONFIG_NOSYSTEM": "1", "HOME": self.server.root,
        }
        result = subprocess.run(["git", "http-backend"], env=environment, input=body, capture_output=True, check=True)
        head, _, content = result.stdout.partition(b"\r\n\r\n")
        fields = [tuple(line.split(": ", 1)) for line in head.decode().split("\r\n")]
        status = next((int(value.split()[0]) for name, value in fields if name == "Status"), 200)
        return self.reply(status, [field for field in fields if field[0] != "Status"], content)

    def token(self):
        scheme, _, value = self.headers.get("Authorization", "").partition(" ")
        if scheme != self.server.scheme:
            return None
        if scheme == "Bearer":
            return value
        # With a user name in the URL, git first sends it without a password.
        return base64.b64decode(value).decode().partition(":")[2] or None

    def reply(self, status, fields, content):
        self.send_response(status)
        for name, value in [*fields, ("Content-Length", str(len(content)))]:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


class ProcessWatch:
    """Reads the arguments and the environment of all processes, all the time."""

    def __init__(self):
        self.seen, self.pids, self.stopped = set(), set(), threading.Event()
        self.thread = threading.Thread(target=self.watch, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.end()

    def watch(self):
        while not self.stopped.is_set():
            for entry in filter(str.isdigit, os.listdir("/proc")):
                for name in ["cmdline", "environ"]:
                    # The process may have ended, or protect itself.
                    with contextlib.suppress(OSError), open(f"/proc/{entry}/{name}", "rb") as file:
                        self.seen.add(file.read())
                        self.pids.add(entry)
            self.stopped.wait(0.002)

    def end(self):
        self.stopped.set()
        self.thread.join()
        return self

    @property
    def processes(self):
        return len(self.pids)

    def contains(self, text):
        return any(text.encode() in content for content in self.seen)
