import AuthHubPrimitives
import CredentialStorage
import PostgreSQLCredentialStorage
import Testing

@Suite(.enabled("there is a PostgreSQL server here") { TestServer.isHere }, .timeLimit(.minutes(15)))
struct SecrecyTests {
    @Test func `an outside observer sees that records exist, and neither their contents nor their accounts`() async throws {
        let place = try TestStore()
        let store = try place.open()
        let account = CredentialAccount(server: "https://canary-server.example", clientID: "canary-client", label: "canary-label")
        try await store.store("canary-payload", for: account)
        let lease = try await store.lease(account, waitingAtMost: .zero)
        let rows = try Shell.run(
            "\(TestServer.programs)/psql -h \(place.server.folder) -U authhub postgres -Atc 'SELECT count(*) FROM \(place.schema).records'")
        #expect(rows.trimmed == "1")
        let text = try Shell.run("\(TestServer.programs)/pg_dump -h \(place.server.folder) -U authhub -n \(place.schema) postgres")
        await lease.release()
        #expect(text.contains("COPY \(place.schema).records"))
        for canary in ["canary-server", "canary-client", "canary-label", "canary-payload"] {
            #expect(!text.contains(canary))
            #expect(!text.contains(canary.utf8.map { String($0, radix: 16) }.joined()))
        }
        // Check that the search works, with a string that must be found.
        #expect(text.contains(String(account.literal.dropFirst(3).dropLast())))
        #expect(text.contains("process "))
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let connection: String
        let code: CredentialStoreError.Code
    }

    @Test(arguments: [
        Row(testDescription: "no such host", connection: "postgresql://u:canary-password@nowhere.invalid/d", code: .unavailable),
        Row(
            testDescription: "an @ in the password", connection: "postgresql://u:canary@canary-password@nowhere.invalid/d",
            code: .unavailable),
        Row(
            testDescription: "a slash in the password", connection: "postgresql://u:canary-password/canary@nowhere.invalid/d",
            code: .unavailable),
        Row(testDescription: "a malformed string", connection: "host=nowhere.invalid password='canary-password", code: .unavailable),
        Row(testDescription: "an unknown word", connection: "host=nowhere.invalid canary-password", code: .unavailable),
        Row(testDescription: "a socket without a listener", connection: "host=/nowhere password=canary-password", code: .unavailable),
    ])
    func `no error contains a password`(row: Row) async throws {
        let failure = await failure { () throws(CredentialStoreError) in
            var limits = PostgreSQLCredentialStore.Limits()
            limits.recovery = .milliseconds(100)
            let store = try PostgreSQLCredentialStore(connection: row.connection, keyring: .testingOrError("a"), limits: limits)
            _ = try await store.read(.octocat)
        }
        #expect(failure?.code == row.code)
        try expectSecrecy(failure as Any)
    }

    @Test func `reports a wrong or missing password at once, and does not show it`() async throws {
        let server = try TestServer.shared.get()
        if try server.query("SELECT 1 FROM pg_roles WHERE rolname = 'locked_out'").isEmpty {
            try server.query("CREATE ROLE locked_out LOGIN PASSWORD 'right'")
        }
        for (password, words) in [("password=canary-password", "28P01"), ("passfile=/nowhere", "password")] {
            // If the store retried, it would do so for longer than the test may run.
            let store = try TestStore().open(
                { $0.recovery = .seconds(3_600) }, connection: "host=\(server.folder) dbname=postgres user=locked_out \(password)")
            let failure = await failure { () throws(CredentialStoreError) in _ = try await store.read(.octocat) }
            #expect(failure?.code == .refused)
            #expect(failure?.explanation.contains(words) == true)
            try expectSecrecy(failure as Any)
            try expectSecrecy(store)
        }
    }

    @Test func `reports a missing database as such`() async throws {
        let store = try TestStore().open(
            { $0.recovery = .milliseconds(100) }, connection: "host=\(try TestServer.shared.get().folder) dbname=nowhere user=authhub")
        let failure = await failure { () throws(CredentialStoreError) in _ = try await store.read(.octocat) }
        #expect(failure?.code == .unavailable)
        #expect(failure?.explanation.contains("the database does not exist") == true)
    }

    private func expectSecrecy(_ value: Any) throws {
        var dumped = ""
        dump(value, to: &dumped)
        for text in [dumped, String(describing: value), String(reflecting: value)] { #expect(!text.contains("canary")) }
    }
}
