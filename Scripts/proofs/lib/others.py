"""The common part of the proofs of loading: nginx on loopback with its own certificate, and the driver that sends requests."""
import json
import os
import select
import shutil
import socket
import subprocess
import tempfile
import time

from outside import PATIENCE, expect, free_ports

FIELDS = {
    "Authorization": "Bearer canary-authorization", "Cookie": "session=canary-cookie",
    "Proxy-Authorization": "Basic canary-proxy", "DPoP": "canary-dpop", "X-Key": "canary-key",
}


class Nginx:
    """An nginx with three ports: two for http, one for https with HTTP/2. Its log contains the credentials of each request."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="authhub-nginx-")
        os.chmod(self.folder, 0o755)
        self.plain, self.other, self.secure = free_ports(3)
        self.certificate = os.path.join(self.folder, "certificate.pem")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-keyout", os.path.join(self.folder, "key.pem"), "-out", self.certificate, "-subj", "/CN=proof",
             "-addext", "subjectAltName=IP:127.0.0.1,IP:127.0.0.2,DNS:localhost"],
            check=True, capture_output=True, stdin=subprocess.DEVNULL)
        for name in ("site", "temporary"):
            os.mkdir(os.path.join(self.folder, name))
        os.chmod(os.path.join(self.folder, "site"), 0o777)
        with open(os.path.join(self.folder, "nginx.conf"), "w") as file:
            file.write(self.configuration())
        self.process = subprocess.Popen(
            ["nginx", "-p", self.folder, "-c", "nginx.conf", "-g", "daemon off;", "-e", "error.log"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.plain)) == 0:
                    return
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        self.process.terminate()
        raise RuntimeError(f"nginx does not start: {self.process.stderr.read()[-500:]}")

    def configuration(self):
        received = ",".join(
            [f'"{name}":"$http_{name.lower().replace("-", "_")}"' for name in FIELDS]
            + ['"scheme":"$scheme"', '"host":"$host"', '"port":"$server_port"', '"method":"$request_method"', '"uri":"$request_uri"',
               '"length":"$content_length"', '"protocol":"$server_protocol"'])
        temporaries = "".join(f"{kind}_temp_path temporary/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        redirects = "".join(f"location /{code} {{ return {code} $arg_to; }}" for code in (301, 302, 303, 307, 308))
        listen = "".join(
            f"listen {host}:{port}{kind};" for host in ("127.0.0.1", "127.0.0.2")
            for port, kind in ((self.plain, ""), (self.other, ""), (self.secure, " ssl http2")))
        user = "user root;" if os.geteuid() == 0 else ""
        return f"""
            {user} worker_processes 1; pid nginx.pid; events {{ worker_connections 256; }}
            http {{
              {temporaries}
              log_format received escape=json '{{{received}}}';
              access_log access.log received; client_max_body_size 0;
              server {{
                {listen}
                ssl_certificate certificate.pem; ssl_certificate_key key.pem;
                {redirects}
                location /landing {{ return 200 landed; }}
                location /back {{ return 307 http://127.0.0.1:{self.plain}/landing$uri; }}
                location /site/ {{ root .; dav_methods PUT; }}
                location /bomb {{ root site; add_header Content-Encoding gzip; }}
              }}
            }}"""

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def received(self, uri, seconds=PATIENCE):
        """Returns the request for a URL, as soon as it is in the log; None if it does not arrive."""
        end = time.monotonic() + seconds
        while True:
            with open(self.path("access.log")) as log:
                found = [entry for entry in map(json.loads, log) if entry["uri"] == uri]
            if found or time.monotonic() > end:
                return found[-1] if found else None
            time.sleep(0.02)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.process.stderr.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Driver:
    """A process of the driver, which sends one request after another."""

    def __init__(self, **setup):
        self.process = subprocess.Popen(
            [os.environ["PROOF_DRIVER"], "load", json.dumps(setup)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def load(self, method, url, seconds=PATIENCE, **order):
        self.process.stdin.write(json.dumps(dict(order, method=method, url=url)) + "\n")
        self.process.stdin.flush()
        ready, _, _ = select.select([self.process.stdout], [], [], seconds)
        line = self.process.stdout.readline() if ready else ""
        expect(line, f"the driver said nothing within {seconds} s (exit code {self.process.poll()})")
        return json.loads(line)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
