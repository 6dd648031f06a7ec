"""A client whose ID is the URL of its metadata document, which another program's web server publishes: sign-in and a new key."""
import base64
import functools
import http.server
import json
import os
import threading

from cryptography.hazmat.primitives.asymmetric import ec

from outside import DevelopmentServer, expect, succeed

LOOPBACK = "--allow-insecure-loopback"


class Handler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        if self.path != "/moved.json":
            return super().do_GET()
        self.send_response(302)
        self.send_header("Location", "/client.json")
        self.end_headers()

    def log_message(self, *_):
        pass


class WebServer:
    """Publishes the files of a folder on loopback."""

    def __init__(self, folder):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
        self.origin = f"http://127.0.0.1:{self.server.server_address[1]}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def private_key(name):
    """A new private key as a JSON Web Key."""
    numbers = ec.generate_private_key(ec.SECP256R1()).private_numbers()
    parts = {"x": numbers.public_numbers.x, "y": numbers.public_numbers.y, "d": numbers.private_value}
    encoded = {part: base64.urlsafe_b64encode(value.to_bytes(32, "big")).rstrip(b"=").decode() for part, value in parts.items()}
    return json.dumps({"kty": "EC", "crv": "P-256", "kid": name, **encoded})


def signs_in(home):
    """CM04: the document is published with the right status and type. CM05: servers accept a new key as soon as it is published."""
    keys = [home.write(f"{name}.json", private_key(name)) for name in ("old", "new")]
    folder = os.path.join(home.path, "public")
    os.mkdir(folder)
    with WebServer(folder) as web, DevelopmentServer(home, "mcp") as server:
        url, resource = f"{web.origin}/client.json", f"{server.description['issuer']}/mcp"
        document = ("client", "document", url, LOOPBACK)

        def publish(*chosen):
            options = [word for key in chosen for word in ("--private-key-file", key)]
            text = succeed(home.run(*document, *options)).stdout
            with open(os.path.join(folder, "client.json"), "w") as file:
                file.write(text)
            succeed(home.run(*document, "--check-published"))

        def login(*options):
            return home.run(
                "login", resource, LOOPBACK, "--headless", "--user", server.description["users"][0]["username"], "--client-id-document", url,
                *options)

        missing = home.run(*document, "--check-published")
        expect(missing.returncode == 1 and "404" in missing.stdout, f"a missing document: {missing.stdout} {missing.stderr}")
        home.environment["AUTHHUB_HEADLESS_PASSWORD"] = server.description["users"][0]["password"]
        publish()
        moved = home.run("client", "document", f"{web.origin}/moved.json", LOOPBACK, "--check-published")
        expect(moved.returncode == 1 and "302" in moved.stdout, f"a redirect: {moved.stdout} {moved.stderr}")
        succeed(login())
        publish(keys[0])
        succeed(login("--private-key-file", keys[0]))
        expect(login("--private-key-file", keys[1]).returncode != 0, "a key that is not published was accepted")
        publish(*keys)
        for key in keys:
            succeed(login("--private-key-file", key))
        succeed(home.run("refresh", "--as", resource.removeprefix("http://")))
        status = json.loads(succeed(home.run("status", "--as", resource.removeprefix("http://"), "-o", "json")).stdout)
        expect(status["client_id"] == url, f"the client ID is {status['client_id']}")
        clients = json.loads(succeed(home.run("client", "list", "-o", "json")).stdout)
        expect(not clients, f"a client was registered: {clients}")
