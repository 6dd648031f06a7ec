import AuthHubPrimitives
import CPostgreSQL
import Platform
import Synchronization

/// A PostgreSQL server for the tests, in a temporary folder and with a socket in it.
///
/// The server stops when the tests exit for any reason: a shell waits for the end of its input, stops the server and removes the folder.
final class TestServer: Sendable {
    /// The server that most tests share. Each test has its own schema.
    static let shared = Result { try TestServer() }

    let folder: String
    private let shell: Mutex<Shell?>

    /// - Parameters:
    ///   - environment: Variables for the server only, as `NAME=VALUE`.
    ///   - copyOf: The primary server, if this one is a standby.
    init(environment: [String] = [], copyOf primary: TestServer? = nil) throws {
        folder = "/tmp/authhub-postgresql-\(Base64URL.encode(randomBytes(count: 9)).filter { $0 != "-" })"
        shell = Mutex(nil)
        self.environment = environment
        let make =
            if let primary {
                "\(Self.programs)/pg_basebackup -h \(primary.folder) -U authhub -D \(folder)/data -R -c fast -C -S \(Self.slot())"
            } else {
                "\(Self.programs)/initdb -D \(folder)/data -A trust -U authhub --no-sync -E UTF8 --locale=C"
            }
        _ = try Shell.run(
            """
            mkdir -m 755 \(folder) && \(Self.isRoot ? "chown postgres \(folder)" : "true") && cd \(folder) && \(Self.asServer) \(make) >&2
            """)
        if primary == nil {
            // One role requires a password.
            _ = try Shell.run(
                "printf 'local all locked_out scram-sha-256\\nlocal all all trust\\nlocal replication all trust\\n' >\(folder)/data/pg_hba.conf"
            )
        }
        try start()
    }

    private let environment: [String]

    deinit {
        let isDown = shell.withLock { shell in
            defer { shell = nil }
            return shell == nil
        }
        if isDown { _ = try? Shell.run("rm -rf \(folder)") }
    }

    var connection: String { "host=\(folder) dbname=postgres user=authhub" }
}

extension TestServer {
    /// The reason why PostgreSQL is not available here; nil if it is.
    static let absence: String? = {
        guard access("\(programs)/initdb", X_OK) == 0 else { return "there is no PostgreSQL server here (Debian: postgresql-15)" }
        return isRoot && getpwnam("postgres") == nil ? "there is no user postgres, and PostgreSQL refuses to run as root" : nil
    }()

    static var isHere: Bool {
        if let absence { print("skipped: \(absence)") }
        return absence == nil
    }

    static let programs: String =
        (try? Shell.run("pg_config --bindir 2>/dev/null || ls -d /usr/lib/postgresql/*/bin | tail -n 1"))?
        .split(separator: "\n").map(String.init).first { access("\($0)/initdb", X_OK) == 0 } ?? "/usr/lib/postgresql/15/bin"

    private static var isRoot: Bool { geteuid() == 0 }
    private static var asServer: String { isRoot ? "setpriv --reuid=postgres --regid=postgres --init-groups env HOME=/tmp" : "env" }
    private static func slot() -> String { "slot_\(UInt32.random(in: .min ... .max))" }

    /// Starts the server, and returns when it accepts connections.
    func start() throws {
        let options =
            "-k \(folder) -c listen_addresses= -c fsync=off -c max_connections=500 -c shared_buffers=16MB -c dynamic_shared_memory_type=mmap"
        let command =
            "\(Self.asServer) \(environment.joined(separator: " ")) \(Self.programs)/pg_ctl -D \(folder)/data -l \(folder)/log -w -t 120"
        let shell = try Shell(
            """
            cd \(folder) && \(command) -o '\(options)' start >&2 && echo ready || { cat \(folder)/log >&2; echo failed; }
            read ignored
            \(Self.asServer) \(Self.programs)/pg_ctl -D \(folder)/data -m immediate -w stop >&2
            [ "$ignored" = keep ] || rm -rf \(folder)
            """)
        guard shell.line() == "ready" else { throw TestFailure("The server in \(folder) did not start.") }
        self.shell.withLock { $0 = shell }
    }

    /// Kills all processes of the server at once, as in a failure of the machine.
    func kill() throws {
        let pid = try Shell.run("head -n 1 \(folder)/data/postmaster.pid").trimmed
        _ = try Shell.run(
            "kill -STOP \(pid); kill -KILL $(cat /proc/\(pid)/task/\(pid)/children) ; kill -KILL \(pid); rm -f \(folder)/.s.*")
        try release()
    }

    /// Stops the server as an administrator would.
    func stop() throws {
        _ = try Shell.run("cd \(folder) && \(Self.asServer) \(Self.programs)/pg_ctl -D \(folder)/data -m fast -w stop >&2")
        try release()
    }

    func promote() throws {
        _ = try Shell.run("cd \(folder) && \(Self.asServer) \(Self.programs)/pg_ctl -D \(folder)/data -w promote >&2")
    }

    private func release() throws {
        shell.withLock { shell in
            shell?.say("keep")
            _ = shell?.line()
            shell = nil
        }
    }

    /// Queries the server from outside the store.
    @discardableResult
    func query(_ text: String, _ database: String = "postgres") throws -> [[String?]] {
        let handle = PQconnectdb("host=\(folder) dbname=\(database) user=authhub")
        defer { PQfinish(handle) }
        let result = PQexec(handle, text)
        defer { PQclear(result) }
        let status = PQresultStatus(result)
        guard status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK else {
            throw TestFailure("\(text): \(String(cString: PQerrorMessage(handle)))")
        }
        return (0..<PQntuples(result)).map { row in
            (0..<PQnfields(result)).map {
                PQgetisnull(result, row, $0) == 1 ? nil : PQgetvalue(result, row, $0).map { String(cString: $0) }
            }
        }
    }

    func terminate(_ backend: Int32) throws {
        try query("SELECT pg_terminate_backend(\(backend), 10000)")
    }
}

struct TestFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension String {
    var trimmed: String { String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()) }
}
