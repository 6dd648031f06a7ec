import AuthHubPrimitives
import CredentialStorage
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Several processes with one keyring.
@Suite(.enabled(if: PrivateKeyring.isPossible, "needs dbus-daemon, gnome-keyring, libglib2.0-bin and libsecret-tools"))
struct SecretServiceProcessTests {
    @Test func `four processes that count up by compare-and-set lose no step`() async throws {
        let keyring = try await PrivateKeyring()
        let (address, locks) = (keyring.address, keyring.locks)
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

    @Test(arguments: [SecretServiceStep.locked, .compared, .stored])
    func `a process killed in a write leaves the old record or the new one, and no lock`(step: SecretServiceStep) async throws {
        let keyring = try await PrivateKeyring()
        try await keyring.store().store("old", for: .octocat)
        let (address, locks) = (keyring.address, keyring.locks)
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [address = address as String, locks = locks as String, step = step.rawValue as String] in
            let store = SecretServiceStore(
                service: PrivateKeyring.service, locks: locks, parts: PrivateKeyring.parts(address)
            ) { reached in
                if reached.rawValue == step { kill(getpid(), SIGKILL) }
            }
            let version = try await store.read(.octocat)?.version
            try await store.store("new", for: .octocat, replacing: version)
        }
        let store = keyring.store()
        let standing = try #require(try await store.read(.octocat))
        #expect(standing.text == (step == .stored ? "new" : "old"))
        try await store.store("next", for: .octocat, replacing: standing.version)
        #expect(try await keyring.items() == 1)
    }
}

/// Adds one to the number in a record, starting over as often as another writer was faster.
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
