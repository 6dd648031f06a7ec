import AuthHubTesting
import CredentialStorage
import CredentialStorageTestSupport
import Platform
import SecretServiceCredentialStorage
import Testing

@Suite(.enabled(if: PrivateKeyring.isPossible, "needs dbus-daemon, gnome-keyring, libglib2.0-bin and libsecret-tools"))
struct SecretServiceDurabilityTests {
    @Test(arguments: CredentialStoreContract.durabilityChecks)
    func `the Secret Service store survives crashes and faults`(check: CredentialStoreContract.DurabilityCheck) async throws {
        try await check.run(with: means(try await PrivateKeyring()))
    }

    private func means(_ keyring: PrivateKeyring) -> CredentialStoreContract.Means {
        let place = Place(address: keyring.address, locks: keyring.locks)
        return CredentialStoreContract.Means(
            makeStore: { [place] in
                // The keyring exists as long as its stores.
                withExtendedLifetime(keyring) { place.store() }
            },
            damage: { try await keyring.filterItem(of: $0, service: PrivateKeyring.service, through: "head -c -1") },
            makeNewer: {
                try await keyring.filterItem(
                    of: $0, service: PrivateKeyring.service, through: "sed '1s/^AHSR\\x01/AHSR\\x02/'")
            },
            dieWithLease: { account in
                let (server, label) = (account.server, account.label)
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [place = place as Place, server = server as String, label = label as String] in
                    let account = CredentialAccount(server: server, clientID: "contract", label: label)
                    let lease = try await place.store().lease(account, waitingAtMost: .zero)
                    kill(getpid(), SIGKILL)
                    await lease.release()
                }
            },
            writingSteps: [SecretServiceStep.locked, .compared, .stored].map(\.rawValue),
            deletingSteps: [SecretServiceStep.locked, .compared, .removed].map(\.rawValue),
            dieWriting: { payload, account, step in
                let (server, label) = (account.server, account.label)
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [
                        place = place as Place, server = server as String, label = label as String, step = step as String,
                        payload = payload as String
                    ] in
                    let account = CredentialAccount(server: server, clientID: "contract", label: label)
                    let store = place.store(dyingAt: step)
                    try await store.store(payload, for: account, replacing: try await store.read(account)?.version)
                }
            },
            dieDeleting: { account, step in
                let (server, label) = (account.server, account.label)
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [place = place as Place, server = server as String, label = label as String, step = step as String] in
                    let account = CredentialAccount(server: server, clientID: "contract", label: label)
                    try await place.store(dyingAt: step).delete(account, at: nil)
                }
            })
    }
}

/// The information about a private keyring that another process needs.
private struct Place: Codable, Sendable {
    let address: String
    let locks: String

    func store(dyingAt step: String? = nil) -> SecretServiceStore {
        SecretServiceStore(service: PrivateKeyring.service, locks: locks, parts: PrivateKeyring.parts(address)) { reached in
            if reached.rawValue == step { kill(getpid(), SIGKILL) }
        }
    }
}
