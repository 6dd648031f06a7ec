"""Who receives the password of the database: a false server that claims to have no TLS, and a real one that proves its name."""
import os
import pathlib
import socket
import struct
import subprocess
import threading

from fleet_database import Database
from outside import AUTHHUB_WITH_POSTGRESQL, Home, Report, expect, succeed

# From the block for documentation (RFC 5737); it is an address of this network's only interface.
ADDRESS, NAME, PASSWORD = "192.0.2.10", "db.example", "canary-password-of-the-database"
SSL_REQUEST, GSS_REQUEST = 80877103, 80877104


class FalseServer:
    """Responds "no" to the request for encryption, and then requests the password in the clear. Records what it receives."""

    def __init__(self):
        self.socket = socket.create_server(("", 0))
        self.port = self.socket.getsockname()[1]
        self.connections, self.passwords = 0, []
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            connection, _ = self.socket.accept()
            threading.Thread(target=self.talk, args=(connection,), daemon=True).start()

    def talk(self, connection):
        self.connections += 1
        with connection:
            try:
                while self.message(connection)[:4] in (struct.pack("!I", SSL_REQUEST), struct.pack("!I", GSS_REQUEST)):
                    connection.sendall(b"N")
                connection.sendall(b"R" + struct.pack("!II", 8, 3))
                expect(connection.recv(1) == b"p", "not a password")
                self.passwords.append(self.message(connection).rstrip(b"\0").decode())
                error = b"SFATAL\0C28P01\0Mwrong password\0\0"
                connection.sendall(b"E" + struct.pack("!I", len(error) + 4) + error)
            except (OSError, EOFError, AssertionError):
                pass

    @staticmethod
    def message(connection):
        def exactly(count):
            data = b""
            while len(data) < count:
                more = connection.recv(count - len(data))
                if not more:
                    raise EOFError
                data += more
            return data
        return exactly(struct.unpack("!I", exactly(4))[0] - 4)


class DatabaseUser:
    """A user of the tool with a database."""

    def __init__(self, home):
        self.home = home
        self.key = os.path.join(home.path, "key")
        pathlib.Path(self.key).write_bytes(os.urandom(32))
        os.chmod(self.key, 0o600)

    def uses(self, connection, *words, **variables):
        environment = dict(self.home.environment, AUTHHUB_KEY_FILE=self.key, PGPASSWORD=PASSWORD, **variables)
        return self.home.run(*(words or ("store", "test")), "--store", f"postgresql:{connection}", environment=environment,
                             tool=AUTHHUB_WITH_POSTGRESQL)


def against_false_server(report, user):
    server = FalseServer()
    services = user.home.write("services", "\n".join([
        "[remote]", f"host={ADDRESS}", f"port={server.port}", "dbname=accounts",
        "[weak]", f"host={ADDRESS}", f"port={server.port}", "sslmode=disable", ""]))
    rest = f"port={server.port} user=worker dbname=accounts"

    def tells(connection, *, password, says="", **variables):
        before = len(server.passwords)
        result = user.uses(connection, **variables)
        expect(result.returncode != 0, "the false server was believed")
        expect((len(server.passwords) > before) == password, f"passwords seen: {server.passwords[before:]}; {result.stderr}")
        expect(says in result.stderr, result.stderr)
        expect(PASSWORD not in result.stdout + result.stderr, "the password was shown")

    def guarded():
        for connection, variables in [
            (f"host={ADDRESS} {rest}", {}), (f"hostaddr={ADDRESS} {rest}", {}), (f"host={NAME} hostaddr={ADDRESS} {rest}", {}),
            (f"postgresql://worker@{ADDRESS}:{server.port}/accounts", {}), (f"{rest}", {"PGHOST": ADDRESS}),
            (f"host=localhost {rest}", {"PGHOSTADDR": ADDRESS}), ("service=remote user=worker", {"PGSERVICEFILE": services}),
            ("user=worker", {"PGSERVICEFILE": services, "PGSERVICE": "remote"}), (f"host={ADDRESS},{ADDRESS} {rest}", {}),
        ]:
            seen = server.connections
            tells(connection, password=False, says="the server offers no TLS", **variables)
            expect(server.connections > seen, f"{connection} {variables}: the false server was not asked")

    def chosen():
        for connection, variables in [
            (f"host=127.0.0.1 {rest}", {}), (f"host=localhost {rest}", {}), (f"host={NAME} hostaddr=127.0.0.1 {rest}", {}),
            (f"host={ADDRESS} sslmode=prefer {rest}", {}), (f"host={ADDRESS} {rest}", {"PGSSLMODE": "prefer"}),
            ("service=weak user=worker dbname=accounts", {"PGSERVICEFILE": services}),
        ]:
            tells(connection, password=True, **variables)

    def warned():
        for connection, mode in [(f"host={ADDRESS} {rest}", None), (f"host={ADDRESS} sslmode=prefer {rest}", "prefer"),
                                 ("service=weak user=worker", "disable"), (f"host=127.0.0.1 sslmode=disable {rest}", None)]:
            told = user.uses(connection, "store", "info", PGSERVICEFILE=services).stdout
            expect(("need not prove its identity" in told) == (mode is not None) and (mode is None or f"sslmode={mode}" in told), told)

    report.check("a false database server on the network gets no password, however it is named", guarded)
    report.check("a false database server gets one on loopback, and if the user chose a weaker mode", chosen)
    report.check("a weaker mode causes a warning", warned)


def certify(folder):
    """Creates a certificate for NAME, issued by a private authority."""
    def openssl(*words):
        subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)

    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    openssl("req", "-x509", *curve, "-keyout", "authority.key", "-out", "authority.pem", "-subj", "/CN=authority", "-days", "2")
    openssl("req", *curve, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=server")
    pathlib.Path(folder, "names").write_text(f"subjectAltName=DNS:{NAME}")
    openssl("x509", "-req", "-in", "server.csr", "-CA", "authority.pem", "-CAkey", "authority.key", "-CAcreateserial", "-days", "2",
            "-extfile", "names", "-out", "server.pem")


class SecureDatabase(Database):
    """Only accepts users over TLS, and with their password."""

    def configure(self):
        certify(self.folder)
        owner = os.stat(self.data)
        for name in ["server.key", "server.pem"]:
            path = os.path.join(self.folder, name)
            os.chown(path, owner.st_uid, owner.st_gid)
            os.chmod(path, 0o600)
        pathlib.Path(self.data, "pg_hba.conf").write_text("local all all trust\nhostssl all all all scram-sha-256\n")
        return (f"-c listen_addresses={ADDRESS} -c port=5432 -c ssl=on -c ssl_cert_file={self.folder}/server.pem"
                f" -c ssl_key_file={self.folder}/server.key")


def against_real_server(report, user):
    database = SecureDatabase()
    try:
        database.run("psql", "-h", database.folder, "-U", "authhub", "-d", "postgres", "-c", f"ALTER ROLE authhub PASSWORD '{PASSWORD}'")
        authority = os.path.join(database.folder, "authority.pem")
        at = f"host={NAME} hostaddr={ADDRESS} user=authhub dbname=postgres"

        def works():
            succeed(user.uses(f"{at} sslrootcert={authority}"))
            succeed(user.uses(at, PGSSLROOTCERT=authority))
            # As if the system trusted it.
            succeed(user.uses(at, SSL_CERT_FILE=authority))

        def refused():
            for connection, why in [(at, "certificate was not accepted"),
                                    (f"{at} sslrootcert={authority}".replace(NAME, "other.example"), "for another name")]:
                result = user.uses(connection)
                expect(result.returncode == 9 and why in result.stderr, f"{result.returncode}: {result.stderr}")

        report.check("a server with a certificate from a private authority works without an sslmode", works)
        report.check("a certificate with another name, or from an unknown authority, is rejected", refused)
    finally:
        database.end()


def main():
    for words in (["link", "set", "lo", "up"], ["address", "add", f"{ADDRESS}/32", "dev", "lo"]):
        subprocess.run(["ip", *words], check=True)
    report = Report()
    with Home() as home:
        user = DatabaseUser(home)
        if "without PostgreSQL" in user.uses("host=/nowhere").stderr:
            report.skip("a false database server gets no password", f"{AUTHHUB_WITH_POSTGRESQL} was built without PostgreSQL")
            report.end()
        against_false_server(report, user)
        if absence := Database.absence():
            report.skip("a server with a certificate from a private authority works", absence)
        else:
            against_real_server(report, user)
    report.end()


main()
