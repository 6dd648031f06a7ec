#if PostgreSQL
import AuthHubPrimitives
import CredentialStorage
import Testing

@testable import PostgreSQLCredentialStorage

struct ErrorTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let kind: DatabaseError.Kind
        let state: String?
        let code: CredentialStoreError.Code
        let isTransient: Bool
    }

    @Test(arguments: [
        Row(testDescription: "nothing listens", kind: .unreachable, state: nil, code: .unavailable, isTransient: true),
        Row(testDescription: "connection lost", kind: .broken, state: nil, code: .timedOut, isTransient: true),
        Row(testDescription: "no answer", kind: .unanswered, state: nil, code: .timedOut, isTransient: true),
        Row(testDescription: "cancelled", kind: .interrupted, state: nil, code: .cancelled, isTransient: false),
        Row(testDescription: "disk full", kind: .refused, state: "53100", code: .full, isTransient: false),
        Row(testDescription: "read only", kind: .refused, state: "25006", code: .refused, isTransient: true),
        Row(testDescription: "no permission", kind: .refused, state: "42501", code: .refused, isTransient: false),
        Row(testDescription: "too many connections", kind: .unreachable, state: "53300", code: .unavailable, isTransient: true),
        Row(testDescription: "going down, while connecting", kind: .unreachable, state: "57P01", code: .unavailable, isTransient: true),
        Row(testDescription: "starting up", kind: .unreachable, state: "57P03", code: .unavailable, isTransient: true),
        Row(testDescription: "going down, while working", kind: .broken, state: "57P01", code: .timedOut, isTransient: true),
        Row(testDescription: "wrong password", kind: .unreachable, state: "28P01", code: .refused, isTransient: false),
        Row(testDescription: "not allowed to connect", kind: .unreachable, state: "28000", code: .refused, isTransient: false),
        Row(testDescription: "no database", kind: .unreachable, state: "3D000", code: .unavailable, isTransient: false),
        Row(testDescription: "no tables", kind: .refused, state: "42P01", code: .unavailable, isTransient: false),
        Row(testDescription: "statement timeout", kind: .refused, state: "57014", code: .timedOut, isTransient: false),
        Row(testDescription: "deadlock", kind: .refused, state: "40P01", code: .failed, isTransient: true),
        Row(testDescription: "damaged files", kind: .refused, state: "XX001", code: .failed, isTransient: false),
        Row(testDescription: "something else", kind: .refused, state: "22000", code: .failed, isTransient: false),
    ])
    func `each failure of the server has its code, and is retried if that may help`(row: Row) {
        let error = DatabaseError(kind: row.kind, state: row.state, reason: "reason")
        #expect(CredentialStoreError(error, changing: true).code == row.code)
        #expect(error.isTransient == row.isTransient)
    }

    struct ServerRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let names: [String]
    }

    @Test(arguments: [
        ServerRow(testDescription: "host=one,two port=1,2", names: ["one", "two"]),
        ServerRow(testDescription: "postgresql://one:1,two:2/database", names: ["one", "two"]),
        ServerRow(testDescription: "host=/var/run/one", names: ["/var/run/one"]),
        ServerRow(testDescription: "hostaddr=127.0.0.1,127.0.0.2 host=one,two", names: ["one", "two"]),
        ServerRow(testDescription: "dbname=database", names: ["the default server"]),
        ServerRow(testDescription: "postgresql://user:pass@word@host/database", names: ["the server"]),
    ])
    func `tries each server separately, under a name that may be shown`(row: ServerRow) throws {
        let string = try ConnectionString(row.testDescription)
        #expect(string.servers.map(\.name) == row.names)
        for (index, server) in string.servers.enumerated() where row.testDescription.contains("port=1,2") {
            #expect(server.options.reveal()["port"] == "\(index + 1)")
            #expect(server.options.reveal()["target_session_attrs"] == "read-write")
        }
    }
}
#endif
