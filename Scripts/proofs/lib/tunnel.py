#!/usr/bin/env python3
"""A proxy that opens tunnels, a private certificate authority, and a TLS front of a server on this machine.

As a command, it is the user's browser: tunnel.py START, which reaches the server without the proxy. $PROOF_USER names a JSON file with login,
password, and the beginning of the server's URLs as the tool knows them ("from") and on this machine ("to").
"""
import base64
import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
from urllib.parse import quote

from simulated_user import SimulatedUser, deliver, page_behind

NAME = "login.authhub.test"


class Authority:
    """A certificate authority, and a certificate for NAME."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="authhub-authority-")
        self.file = os.path.join(self.folder, "authority.pem")
        curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        self.openssl("req", "-x509", *curve, "-keyout", "authority.key", "-out", "authority.pem", "-subj", "/CN=authority", "-days", "2")
        self.openssl("req", *curve, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=server")
        with open(os.path.join(self.folder, "names"), "w") as file:
            file.write(f"subjectAltName=DNS:{NAME}")
        self.openssl(
            "x509", "-req", "-in", "server.csr", "-CA", "authority.pem", "-CAkey", "authority.key", "-CAcreateserial", "-days", "2",
            "-extfile", "names", "-out", "server.pem")

    def openssl(self, *words):
        subprocess.run(["openssl", *words], cwd=self.folder, check=True, capture_output=True, stdin=subprocess.DEVNULL)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)


class Listener:
    """Runs a function with each connection, in a thread."""

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        try:
            self.answer(connection)
        except OSError:
            pass  # the other side closed the connection, or rejected the certificate
        finally:
            connection.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()


def forward(source, target, change):
    try:
        while data := source.recv(65536):
            target.sendall(change(data))
    except OSError:
        pass
    finally:
        try:
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass


def connect(client, server, change, change_back):
    back = threading.Thread(target=forward, args=(server, client, change_back), daemon=True)
    back.start()
    forward(client, server, change)
    back.join()


class SecureFront(Listener):
    """Decrypts connections and forwards them to a port on this machine."""

    def __init__(self, authority, port):
        self.target = port
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(os.path.join(authority.folder, "server.pem"), os.path.join(authority.folder, "server.key"))
        super().__init__()

    def answer(self, connection):
        with self.context.wrap_socket(connection, server_side=True) as secure, socket.create_connection(
                ("127.0.0.1", self.target)) as server:
            # The server responds only to its own name. The client writes the head of a request at once.
            own = f"127.0.0.1:{self.target}".encode()
            connect(secure, server, lambda data: data.replace(b"Host: " + NAME.encode(), b"Host: " + own), lambda data: data)


class TunnelProxy(Listener):
    """Opens tunnels to known servers for users with the right password, and records everything."""

    def __init__(self, servers, users):
        self.servers = servers
        self.fields = {"Basic " + base64.b64encode(f"{name}:{password}".encode()).decode() for name, password in users.items()}
        self.lock = threading.Lock()
        self.bytes, self.targets, self.count = [], set(), 0
        super().__init__()

    def note(self, data):
        with self.lock:
            self.bytes.append(data)
        return data

    def seen(self):
        with self.lock:
            return b"".join(self.bytes)

    def answer(self, connection):
        with self.lock:
            self.count += 1
        head = b""
        while b"\r\n\r\n" not in head:
            data = connection.recv(65536)
            if not data:
                return
            head += data
        lines = head.decode("latin-1").split("\r\n")
        fields = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines[1:] if ": " in line)}
        # Everything that the client sent, except what is meant for the proxy.
        self.note("\r\n".join(line for line in lines if not line.lower().startswith("proxy-authorization:")).encode("latin-1"))
        method, target, _ = lines[0].split(" ")
        if fields.get("proxy-authorization") not in self.fields:
            connection.sendall(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
        elif method != "CONNECT" or target not in self.servers:
            connection.sendall(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
        else:
            with self.lock:
                self.targets.add(target)
            with socket.create_connection(("127.0.0.1", self.servers[target])) as server:
                connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
                connect(connection, server, self.note, self.note)


def main():
    with open(os.environ["PROOF_USER"]) as file:
        told = json.load(file)
    page = page_behind(sys.argv[1]).replace(told["from"], told["to"], 1)
    callback = SimulatedUser(told["login"], told["password"]).authorize(page)
    # The issuer in the callback is that of the server on this machine.
    deliver(callback.replace(quote(told["to"], safe=""), quote(told["from"], safe="")))


if __name__ == "__main__":
    main()
