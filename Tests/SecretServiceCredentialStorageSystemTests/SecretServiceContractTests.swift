import AuthHubTesting
import CredentialStorage
import CredentialStorageTestSupport
import SecretServiceCredentialStorage
import Testing

@Suite(.enabled(if: PrivateKeyring.isPossible, "needs dbus-daemon, gnome-keyring, libglib2.0-bin and libsecret-tools"))
struct SecretServiceContractTests {
    @Test(arguments: CredentialStoreContract.checks)
    func `the Secret Service store fulfils the contract`(check: CredentialStoreContract.Check) async throws {
        let keyring = try await PrivateKeyring.shared.value
        try await check.run { keyring.store() }
    }

    @Test func `the session keyring stores records separately from the default one`() async throws {
        let keyring = try await PrivateKeyring.shared.value
        let store = keyring.store(collection: .session, service: "com.example.session")
        try await store.store("for now", for: .octocat)
        #expect(try await store.read(.octocat)?.text == "for now")
        #expect(try await keyring.store(service: "com.example.session").read(.octocat) == nil)
        #expect(try await store.accounts() == [.octocat])
        try await store.delete(.octocat, at: nil)
        #expect(try await store.accounts().isEmpty)
    }

    @Test func `services with other names do not see each other's records`() async throws {
        let keyring = try await PrivateKeyring.shared.value
        let (one, other) = (keyring.store(service: "com.example.one"), keyring.store(service: "com.example.other"))
        try await one.store("of one", for: .octocat)
        #expect(try await other.read(.octocat) == nil)
        #expect(try await other.accounts().isEmpty)
        try await one.delete(.octocat, at: nil)
    }
}
