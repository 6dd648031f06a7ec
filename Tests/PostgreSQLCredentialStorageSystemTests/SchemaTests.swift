import AuthHubPrimitives
import CredentialStorage
import PostgreSQLCredentialStorage
import Testing

@Suite(.enabled("there is a PostgreSQL server here") { TestServer.isHere }, .timeLimit(.minutes(15)))
struct SchemaTests {
    @Test func `eight programs that start concurrently create the tables once`() async throws {
        let place = try TestStore()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                let store = try place.open()
                group.addTask { try await store.migrate() }
            }
            try await group.waitForAll()
        }
        #expect(try place.query("SELECT count(*), max(version) FROM schema_version") == [["1", "1"]])
        try await place.open().migrate()
        #expect(try place.query("SELECT count(*), max(version) FROM schema_version") == [["1", "1"]])
    }

    @Test func `leaves tables of a newer program alone`() async throws {
        let place = try TestStore()
        try await place.open().store("record", for: .octocat)
        try place.query("INSERT INTO schema_version (version) VALUES (2)")
        let store = try place.open()
        for _ in 0..<2 {
            #expect(await failure { () throws(CredentialStoreError) in _ = try await store.read(.octocat) }?.code == .tooNew)
        }
        #expect(await failure { () throws(CredentialStoreError) in try await store.migrate() }?.code == .tooNew)
        #expect(try place.query("SELECT count(*) FROM records") == [["1"]])
    }

    @Test func `a role with the listed permissions works, and cannot create or change tables`() async throws {
        let place = try TestStore()
        try await place.open().migrate()
        let role = "worker_\(place.schema)"
        try place.query(
            """
            CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA \(place.schema) TO \(role); GRANT SELECT ON schema_version TO \(role);
            GRANT SELECT, INSERT, UPDATE, DELETE ON records, leases TO \(role)
            """)
        let connection = "host=\(place.server.folder) dbname=postgres user=\(role)"
        let store = try place.open(connection: connection)
        let version = try await store.store("record", for: .octocat)
        try await store.prepareToWrite(for: .octocat)
        try await store.lease(.octocat, waitingAtMost: .zero).release()
        #expect(try await store.accounts() == [.octocat])
        let changes = store.changes()
        var iterator = changes.makeAsyncIterator()
        #expect(await iterator.next() == .missedSome)
        #expect(try await store.delete(.octocat, at: version))
        #expect(await iterator.next() == .changed(CredentialAccount.octocat.id, to: nil))
        try await place.open(keyring: .testing("second", older: ["first"]), connection: connection).reencrypt()
        // The role cannot create a schema either.
        let elsewhere = try TestStore().open(connection: connection)
        let refusal = await failure { () throws(CredentialStoreError) in try await elsewhere.migrate() }
        #expect(refusal?.code == .refused)
        #expect(refusal?.explanation.contains("42501") == true)
    }

    @Test func `does not create an existing schema, so its owner need not be able to`() async throws {
        let place = try TestStore()
        let role = "owner_\(place.schema)"
        try place.server.query("CREATE ROLE \(role) LOGIN; CREATE SCHEMA \(place.schema) AUTHORIZATION \(role)")
        let store = try place.open(connection: "host=\(place.server.folder) dbname=postgres user=\(role)")
        try await store.store("record", for: .octocat)
        #expect(try await store.text(of: .octocat) == "record")
    }

    @Test func `reports that a role may only read before anything is spent`() async throws {
        let place = try TestStore()
        try await place.open().migrate()
        let role = "reader_\(place.schema)"
        try place.query(
            "CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA \(place.schema) TO \(role); GRANT SELECT ON schema_version, records TO \(role)"
        )
        let store = try place.open(connection: "host=\(place.server.folder) dbname=postgres user=\(role)")
        #expect(await failure { () throws(CredentialStoreError) in try await store.prepareToWrite(for: .octocat) }?.code == .refused)
        #expect(
            await failure { () throws(CredentialStoreError) in
                _ = try await store.write(Secret([1]), for: .octocat, replacing: nil)
            }?.code == .refused)
        #expect(try await store.read(.octocat) == nil)
    }

    @Test(arguments: ["", "1st", "Upper", "with space", "quo\"te", "pg_own", String(repeating: "a", count: 41), "ü"])
    func `rejects a schema name that would need quoting`(name: String) async throws {
        let refusal = await failure { () throws(CredentialStoreError) in
            _ = try PostgreSQLCredentialStore(connection: "host=nowhere", keyring: .testingOrError("a"), schema: name)
        }
        #expect(refusal?.code == .failed)
    }
}

extension CredentialKeyring {
    static func testingOrError(_ id: String) throws(CredentialStoreError) -> Self {
        try Self(current: .testing(id))
    }
}
