import AuthHubPrimitives
import CredentialStorage
import CredentialStorageTestSupport
import SecretServiceCredentialStorage
import Testing

/// Several processes with one keyring.
@Suite(.enabled(if: PrivateKeyring.isPossible, "needs dbus-daemon, gnome-keyring, libglib2.0-bin and libsecret-tools"))
struct SecretServiceProcessTests {
    @Test func `four processes that increment by compare-and-set lose no step`() async throws {
        let keyring = try await PrivateKeyring()
        let (address, locks) = (keyring.address, "\(keyring.locks)/\(PrivateKeyring.service)")
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    await #expect(processExitsWith: .success) { [address = address as String, locks = locks as String] in
                        let store = SecretServiceStore(
                            service: PrivateKeyring.service, locks: locks, parts: PrivateKeyring.parts(address))
                        for _ in 0..<25 { try await countUp(.octocat, in: store) }
                    }
                }
            }
        }
        #expect(try await keyring.store().read(.octocat)?.text == "100")
        #expect(try await keyring.items() == 1)
    }
}

/// Adds one to the number in a record, and starts over whenever another writer was faster.
private func countUp(_ account: CredentialAccount, in store: some CredentialStore) async throws {
    var current = try await store.read(account)
    while true {
        let number = current.flatMap { Int($0.text) } ?? 0
        switch try await store.write(Secret(Array("\(number + 1)".utf8)), for: account, replacing: current?.version) {
        case .stored: return
        case .superseded(let newer): current = newer
        }
    }
}
