#if PostgreSQL
import AuthHubPrimitives
import CPostgreSQL
import CredentialStorage
import Testing

@testable import PostgreSQLCredentialStorage

struct TransportSecurityTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The mode that AuthHub adds; nil if it adds none.
        var added: String?
        var weak: String?
    }

    @Test(arguments: [
        Row(testDescription: "host=/run/postgresql"),
        Row(testDescription: "host=@abstract"),
        Row(testDescription: "host=127.0.0.1"),
        Row(testDescription: "host=127.255.0.9"),
        Row(testDescription: "host=::1"),
        Row(testDescription: "host=localhost"),
        Row(testDescription: "postgresql://user@localhost:5433/db"),
        Row(testDescription: "host=db.example hostaddr=127.0.0.1"),
        Row(testDescription: "hostaddr=::1"),
        Row(testDescription: "host=192.0.2.1", added: "verify-full"),
        Row(testDescription: "host=2001:db8::1", added: "verify-full"),
        Row(testDescription: "host=::ffff:192.0.2.1", added: "verify-full"),
        Row(testDescription: "host=127.0.0.1.invalid", added: "verify-full"),
        Row(testDescription: "host=db.invalid", added: "verify-full"),
        Row(testDescription: "host=localhost hostaddr=192.0.2.1", added: "verify-full"),
        Row(testDescription: "hostaddr=192.0.2.1", added: "verify-full"),
        Row(testDescription: "postgresql://user:secret@192.0.2.1/db?sslmode=", added: "verify-full"),
        Row(testDescription: "host=192.0.2.1 sslmode=prefer", weak: "prefer"),
        Row(testDescription: "host=192.0.2.1 sslmode=require", weak: "require"),
        Row(testDescription: "host=192.0.2.1 sslmode=verify-ca", weak: "verify-ca"),
        Row(testDescription: "postgresql://192.0.2.1/db?sslmode=disable", weak: "disable"),
        Row(testDescription: "host=192.0.2.1 sslmode=verify-full"),
        Row(testDescription: "host=127.0.0.1 sslmode=disable"),
        Row(testDescription: "host=192.0.2.1 service=none-such", added: "verify-full"),
    ])
    func `a server on the network must prove its name, unless the caller chose another mode`(row: Row) throws {
        let server = try #require(try ConnectionString(row.testDescription).servers.first)
        let security = TransportSecurity(of: server.options.reveal()) { _ in nil }
        #expect(security.additions["sslmode"] == row.added)
        #expect(security.weakMode == row.weak)
    }

    @Test func `checks each of several servers separately`() throws {
        let servers = try ConnectionString("host=127.0.0.1,192.0.2.1,/run/postgresql").servers
        let modes = servers.map { TransportSecurity(of: $0.options.reveal()) { _ in nil }.additions["sslmode"] }
        #expect(modes == [nil, "verify-full", nil])
    }

    @Test func `resolves a name for this machine once, so that it cannot mean another machine a moment later`() throws {
        let added = TransportSecurity(of: ["host": "localhost"]) { _ in nil }.additions
        let addresses = try #require(added["hostaddr"]).split(separator: ",")
        #expect(!addresses.isEmpty)
        #expect(addresses.allSatisfy { $0 == "::1" || $0.hasPrefix("127.") })
        #expect(added["host"]?.split(separator: ",") == addresses.map { _ in "localhost" })
    }

    @Test(arguments: [(given: nil as String?, isSystem: true), (given: "/own/root.pem", isSystem: false)])
    func `uses the system's authorities if no others are named`(given: String?, isSystem: Bool) {
        var options = ["host": "192.0.2.1"]
        options["sslrootcert"] = given
        let file = "/etc/passwd"
        let security = TransportSecurity(of: options, environment: { $0 == "SSL_CERT_FILE" ? file : nil }, accountHome: { nil })
        let added = security.additions["sslrootcert"]
        #expect(added == (isSystem ? (PQlibVersion() >= 160_000 ? "system" : file) : nil))
    }

    @Test(arguments: [true, false])
    func `finds libpq's own file of root certificates as libpq does, even without HOME`(hasVariable: Bool) throws {
        let home = try TestHome()
        let security = TransportSecurity(
            of: ["host": "192.0.2.1"], environment: { hasVariable && $0 == "HOME" ? home.path : nil },
            accountHome: { hasVariable ? nil : home.path })
        #expect(security.additions == ["sslmode": "verify-full"])
    }

    @Test func `does not retry a server that does not prove its name`() {
        let error = DatabaseError(kind: .untrusted, state: nil, reason: "db: the server offers no TLS")
        #expect(!error.isTransient)
        #expect(CredentialStoreError(error, changing: true).code == .refused)
    }
}
#endif
