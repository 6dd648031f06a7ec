import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import CredentialStorageTestSupport
import Platform
import Testing

struct DurabilityTests {
    @Test(arguments: CredentialStoreContract.durabilityChecks)
    func `the encrypted file store survives crashes and faults`(check: CredentialStoreContract.DurabilityCheck) async throws {
        try await check.run(with: means(.sealed, try TemporaryFolder()))
    }

    @Test(arguments: CredentialStoreContract.durabilityChecks)
    func `the plain file store survives crashes and faults`(check: CredentialStoreContract.DurabilityCheck) async throws {
        try await check.run(with: means(.plain, try TemporaryFolder()))
    }

    private func means(_ form: StoreForm, _ folder: TemporaryFolder) -> CredentialStoreContract.Means {
        let path = folder.path
        return CredentialStoreContract.Means(
            makeStore: { folder.anyStore(form) },
            damage: { account in try alter(folder.recordPath(of: account)) { bytes in bytes[bytes.count - 1] ^= 1 } },
            makeNewer: { account in try alter(folder.recordPath(of: account)) { bytes in bytes[4] = 255 } },
            dieWithLease: { account in
                let (server, label) = (account.server, account.label)
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [form = form as StoreForm, path = path as String, server = server as String, label = label as String] in
                    let account = CredentialAccount(server: server, clientID: "contract", label: label)
                    let lease = try await TemporaryFolder.anyStore(form, below: path).lease(account, waitingAtMost: .zero)
                    kill(getpid(), SIGKILL)
                    await lease.release()
                }
            },
            writingSteps: CrashTests.writing.map(\.rawValue),
            deletingSteps: CrashTests.deleting.map(\.rawValue),
            dieWriting: { payload, account, step in
                let (server, label) = (account.server, account.label)
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [
                        form = form as StoreForm, path = path as String, server = server as String, label = label as String,
                        step = step as String, payload = payload as String
                    ] in
                    let account = CredentialAccount(server: server, clientID: "contract", label: label)
                    let store = TemporaryFolder.anyStore(form, below: path, dyingAt: step)
                    try await store.store(payload, for: account, replacing: try await store.read(account)?.version)
                }
            },
            dieDeleting: { account, step in
                let (server, label) = (account.server, account.label)
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [
                        form = form as StoreForm, path = path as String, server = server as String, label = label as String,
                        step = step as String
                    ] in
                    let account = CredentialAccount(server: server, clientID: "contract", label: label)
                    try await TemporaryFolder.anyStore(form, below: path, dyingAt: step).delete(account, at: nil)
                }
            })
    }
}

extension TemporaryFolder {
    func recordPath(of account: CredentialAccount) -> String {
        "\(storePath)/\(account.hexadecimalID).credential"
    }

    fileprivate static func anyStore(_ form: StoreForm, below path: String, dyingAt step: String) -> any CredentialStore {
        anyStore(form, below: path) { reached in
            if reached.rawValue == step { kill(getpid(), SIGKILL) }
        }
    }
}
