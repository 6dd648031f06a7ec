import AuthHubPrimitives
import CredentialStorage
import PostgreSQLCredentialStorage
import Synchronization
import Testing

@Suite(.enabled("there is a PostgreSQL server here") { TestServer.isHere }, .timeLimit(.minutes(15)))
struct KeyTests {
    @Test func `reads records of an older key, and writes them with the current one`() async throws {
        let place = try TestStore()
        let version = try await place.open().store("old", for: .octocat)
        let store = try place.open(keyring: .testing("second", older: ["first"]))
        #expect(try await store.text(of: .octocat) == "old")
        try await store.store("new", for: .octocat, replacing: version)
        #expect(try place.query("SELECT key_id FROM records") == [["second"]])
    }

    @Test func `a record whose key is missing names it, and is neither replaced nor removed as damaged`() async throws {
        let place = try TestStore()
        let version = try await place.open().store("old", for: .octocat)
        let store = try place.open(keyring: .testing("second"))
        let refusal = await failure { () throws(CredentialStoreError) in _ = try await store.read(.octocat) }
        #expect(refusal?.code == .keyMissing)
        #expect(refusal?.explanation.contains("“first”") == true)
        #expect(
            await failure { () throws(CredentialStoreError) in
                _ = try await store.write(Secret([1]), for: .octocat, replacing: version)
            }?.code == .keyMissing)
        #expect(try await store.removeUnreadable() == 0)
        #expect(try await place.open().text(of: .octocat) == "old")
    }

    @Test func `a key that opens none of the stored records seals no new one`() async throws {
        let place = try TestStore()
        let first = try await place.open().store("first", for: .octocat)
        let wrong = try place.open(keyring: .testing("second", older: ["third"]))
        for account in [CredentialAccount.octocat, .hubot] {
            #expect(await failure { () throws(CredentialStoreError) in try await wrong.prepareToWrite(for: account) }?.code == .keyMissing)
            let refusal = await failure { () throws(CredentialStoreError) in
                _ = try await wrong.write(Secret([1]), for: account, replacing: nil)
            }
            #expect(refusal?.code == .keyMissing)
            #expect(refusal?.explanation.contains("“first”") == true)
        }
        #expect(try place.query("SELECT key_id FROM records") == [["first"]])
        let both = try place.open(keyring: .testing("second", older: ["first"]))
        try await both.prepareToWrite(for: .hubot)
        try await both.store("second", for: .hubot)
        // It is sufficient that the key opens one of the records, because other programs may use another key for a while.
        try await wrong.store("third", for: CredentialAccount(server: "https://server.example", clientID: "client", label: "third"))
        try await both.delete(.octocat, at: first)
        try await both.delete(.hubot, at: nil)
        try await wrong.prepareToWrite(for: .hubot)
    }

    @Test(arguments: [
        "UPDATE records SET account = \(CredentialAccount.hubot.literal)",
        "UPDATE records SET version = '\\x00112233445566778899aabbccddeeff'",
        "UPDATE records SET sealed = substring(sealed FOR octet_length(sealed) - 1)",
        "UPDATE records SET sealed = ''", "UPDATE records SET format = 0", "UPDATE records SET key_id = 'second'",
    ])
    func `a row that was altered in any part does not open`(difference: String) async throws {
        let place = try TestStore()
        try await place.open().store("record", for: .octocat)
        try place.query(difference)
        let store = try place.open(keyring: .testing("first", older: ["second"]))
        let account = difference.contains("account") ? CredentialAccount.hubot : .octocat
        #expect(await failure { () throws(CredentialStoreError) in _ = try await store.read(account) }?.code == .corrupt)
        #expect(try await store.inventory().unreadable.map(\.code) == [.corrupt])
        #expect(try await store.removeUnreadable() == 1)
        #expect(try await store.read(account) == nil)
    }

    @Test func `rejects invalid keys`() async throws {
        let short = CredentialKeyring.Key(id: "short", material: Secret([UInt8](repeating: 1, count: 31)))
        let nameless = CredentialKeyring.Key(id: "", material: Secret([UInt8](repeating: 1, count: 32)))
        let spaced = CredentialKeyring.Key(id: "a b", material: nameless.material)
        let good = CredentialKeyring.Key.testing("good")
        for (current, older) in [(short, []), (good, [short]), (nameless, []), (spaced, []), (good, [good])] {
            #expect(
                await failure { () throws(CredentialStoreError) in _ = try CredentialKeyring(current: current, older: older) }?.code
                    == .corrupt)
        }
    }

    @Test func `re-encrypts records with the current key while others write, without a change that others see`() async throws {
        let place = try TestStore()
        let old = try place.open(keyring: .testing("first", older: ["second"]))
        let accounts = (0..<60).map { CredentialAccount(server: "https://server.example", clientID: "client", label: "\($0)") }
        var versions: [CredentialAccount: CredentialVersion] = [:]
        for account in accounts { versions[account] = try await old.store("0", for: account) }
        try place.query("UPDATE records SET sealed = '' WHERE account = \(accounts[59].literal)")
        let new = try place.open(keyring: .testing("second", older: ["first"]))
        let reports = Mutex<[CredentialReencryption]>([])
        let writers = Task {
            // Another program, which already has the new key, writes the first ten records again and again.
            for round in 1...5 {
                for account in accounts.prefix(10) {
                    let standing = try await new.read(account)
                    try await new.store("\(round)", for: account, replacing: standing?.version)
                }
            }
        }
        let report = try await new.reencrypt(batch: 7) { report in reports.withLock { $0.append(report) } }
        try await writers.value
        #expect(report.unreadable == 1)
        #expect(report.done >= 49 && report.done <= 59)
        #expect(reports.withLock { $0.count } >= 7)
        let rest = try await new.reencrypt()
        #expect(rest.remaining == 1 && rest.unreadable == 1 && rest.done <= 10)
        let single = try place.open(keyring: .testing("second"))
        for account in accounts.prefix(10) { #expect(try await single.text(of: account) == "5") }
        for account in accounts[10..<59] {
            #expect(try await single.read(account)?.version == versions[account])
            #expect(try await single.text(of: account) == "0")
        }
    }

    @Test func `skips a row that another session has locked, and the next call handles it`() async throws {
        let place = try TestStore()
        try await place.open().store("record", for: .octocat)
        let store = try place.open(keyring: .testing("second", older: ["first"]))
        let counts = try await withRowLocked(place) { try await store.reencrypt() }
        #expect(counts.done == 0 && counts.remaining == 1)
        #expect(try await store.reencrypt().done == 1)
    }

    @Test func `a rotation that is cancelled stops, and continues from there the next time`() async throws {
        let place = try TestStore()
        let old = try place.open()
        for number in 0..<6 { try await old.store("record", for: CredentialAccount(server: "s", clientID: "c", label: "\(number)")) }
        let store = try place.open(keyring: .testing("second", older: ["first"]))
        let rotation = Task { try await store.reencrypt(batch: 2) { _ in withUnsafeCurrentTask { $0?.cancel() } } }
        await #expect(throws: CredentialStoreError.self) { try await rotation.value }
        #expect(try place.query("SELECT count(*) FROM records WHERE key_id = 'second'") == [["2"]])
        #expect(try await store.reencrypt().done == 4)
    }

    /// Runs an operation while another session is in the middle of a write.
    private func withRowLocked<Success>(_ place: TestStore, _ work: () async throws -> Success) async throws -> Success {
        let shell = try Shell("\(TestServer.programs)/psql -qAt -h \(place.server.folder) -U authhub postgres")
        shell.say("BEGIN; SELECT 'locked' FROM \(place.schema).records FOR UPDATE;")
        #expect(shell.line() == "locked")
        let result: Result<Success, any Error>
        do { result = .success(try await work()) } catch { result = .failure(error) }
        // End the transaction at the server. If the program only exited, the server would end its session some time later.
        shell.say("ROLLBACK; SELECT 'free';")
        #expect(shell.line() == "free")
        return try result.get()
    }
}
