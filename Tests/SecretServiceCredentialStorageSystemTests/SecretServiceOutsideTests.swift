import AuthHubPrimitives
import CredentialStorage
import CredentialStorageTestSupport
import SecretServiceCredentialStorage
import Testing

/// Tests what other programs can see of a record.
@Suite(.enabled(if: PrivateKeyring.isPossible, "needs dbus-daemon, gnome-keyring, libglib2.0-bin and libsecret-tools"))
struct SecretServiceOutsideTests {
    @Test func `other programs find the item by its attributes, and users by its label`() async throws {
        let keyring = try await PrivateKeyring()
        let account = CredentialAccount(server: "https://server.example", clientID: "client", label: "octo\u{7}cat\n\u{202E}")
        try await keyring.store().store("a payload", for: account)
        let id = account.id.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let found = try await keyring.run("secret-tool search --all service \(PrivateKeyring.service) account \(id)")
        for line in [
            "label = com.example.tests: https://server.example (octocat)", "schema = authhub.Credential", "attribute.version = 1",
            "attribute.account = \(id)", "attribute.service = com.example.tests",
        ] {
            #expect(found.split(separator: "\n").contains { $0 == line }, "\(line)")
        }
        #expect(try await keyring.run("secret-tool lookup account \(id)").contains("a payload"))
    }

    @Test func `the keyring on disk shows neither the payload nor the account`() async throws {
        let keyring = try await PrivateKeyring()
        let canary = "canary-\(Base64URL.encode(randomBytes(count: 12)))"
        try await keyring.store().store(canary, for: CredentialAccount(server: "https://\(canary).example", clientID: canary))
        try await keyring.run("test -s $HOME/.local/share/keyrings/login.keyring")
        let files = try await keyring.run("grep -rlaF '\(canary)' $HOME || true")
        #expect(files.isEmpty)
    }

    @Test func `traffic over the bus is encrypted`() async throws {
        let keyring = try await PrivateKeyring()
        try await keyring.run("start_monitor")
        let canary = "canary-\(Base64URL.encode(randomBytes(count: 12)))"
        let store = keyring.store()
        try await store.store(canary, for: .octocat)
        #expect(try await store.read(.octocat)?.text == canary)
        try await keyring.run("until_done grep -qaF GetSecret $folder/traffic")
        #expect(try await keyring.outcome(of: "grep -qaF 'dh-ietf1024-sha256-aes128-cbc-pkcs7' $folder/traffic").status == 0)
        #expect(try await keyring.outcome(of: "grep -qaF '\(canary)' $folder/traffic").status == 1)
    }

    @Test func `the newer of two items for one account counts, and the next write leaves one`() async throws {
        let keyring = try await PrivateKeyring()
        let store = keyring.store()
        let version = try await store.store("ours", for: .octocat)
        try await keyring.copyItem(of: .octocat)
        #expect(try await keyring.items() == 2)
        #expect(try await store.accounts() == [.octocat])
        #expect(try await store.read(.octocat)?.version == version)
        try await store.store("next", for: .octocat, replacing: version)
        #expect(try await keyring.items() == 1)
        #expect(try await store.read(.octocat)?.text == "next")
        try await keyring.copyItem(of: .octocat)
        try await store.delete(.octocat, at: nil)
        #expect(try await keyring.items() == 0)
    }

    @Test(arguments: [
        ("cut off", "head -c -1", CredentialStoreError.Code.corrupt), ("lengthened", "cat - <(printf x)", .corrupt),
        ("changed", "tr k K", .corrupt), ("of a later format", "sed '1s/^AHSR\\x01/AHSR\\x02/'", .tooNew),
        ("emptied", "head -c 0", .corrupt),
    ])
    func `reports an incomplete record, keeps it, and can remove it`(
        damage: String, filter: String, expected: CredentialStoreError.Code
    ) async throws {
        let keyring = try await PrivateKeyring.shared.value
        let service = "com.example.damage.\(Base64URL.encode(randomBytes(count: 6)))"
        let store = keyring.store(service: service)
        try await store.store("kept", for: .octocat)
        try await store.store("whole", for: .hubot)
        try await keyring.filterItem(of: .octocat, service: service, through: filter)
        #expect(await code { () throws(CredentialStoreError) in _ = try await store.read(.octocat) } == expected)
        let inventory = try await store.inventory()
        #expect(inventory.accounts == [.hubot])
        #expect(inventory.unreadable.map(\.code) == [expected])
        #expect(try await store.removeUnreadable() == (expected == .corrupt ? 1 : 0))
        #expect(try await keyring.items(service: service) == (expected == .corrupt ? 1 : 2))
        for account in [CredentialAccount.octocat, .hubot] { try await store.delete(account, at: nil) }
    }

    @Test func `does not use a record under another account's name`() async throws {
        let keyring = try await PrivateKeyring.shared.value
        let service = "com.example.swapped"
        let store = keyring.store(service: service)
        try await store.store("octocat's", for: .octocat)
        try await store.store("hubot's", for: .hubot)
        let other = keyring.attributes(of: .hubot, service)
        try await keyring.filterItem(of: .octocat, service: service, through: "cat - >/dev/null; secret-tool lookup \(other)")
        #expect(await code { () throws(CredentialStoreError) in _ = try await store.read(.octocat) } == .corrupt)
        #expect(try await store.inventory().unreadable.map(\.code) == [.corrupt])
        for account in [CredentialAccount.octocat, .hubot] { try await store.delete(account, at: nil) }
    }
}

extension PrivateKeyring {
    func attributes(of account: CredentialAccount, _ service: String) -> String {
        let id = account.id.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return "xdg:schema authhub.Credential service \(service) account \(id)"
    }

    /// Creates an item like that of an account, but with an additional attribute.
    func copyItem(of account: CredentialAccount) async throws {
        let attributes = attributes(of: account, Self.service)
        try await run("secret-tool lookup \(attributes) >$folder/copy")
        try await run("secret-tool store --label=copy \(attributes) copy 1 <$folder/copy; rm $folder/copy")
    }

    /// Changes the bytes of an account's item.
    func filterItem(of account: CredentialAccount, service: String, through filter: String) async throws {
        let attributes = attributes(of: account, service)
        // Use a single line, so that no command of another test can run in between.
        let lookup = "secret-tool lookup \(attributes) | { \(filter); } >$folder/copy"
        try await run("\(lookup); secret-tool store --label=changed \(attributes) version 1 <$folder/copy && rm $folder/copy")
    }
}
