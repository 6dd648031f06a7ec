import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

struct DurabilityTests {
    @Test(arguments: CredentialStoreContract.durabilityChecks)
    func `the encrypted file store outlives mishaps`(check: CredentialStoreContract.DurabilityCheck) async throws {
        try await check.run(with: means(try TemporaryFolder()))
    }

    private func means(_ folder: TemporaryFolder) -> CredentialStoreContract.Means {
        let path = folder.path
        return CredentialStoreContract.Means(
            makeStore: { folder.store() },
            damage: { account in try alter(folder.recordPath(of: account)) { bytes in bytes[bytes.count - 1] ^= 1 } },
            makeNewer: { account in try alter(folder.recordPath(of: account)) { bytes in bytes[4] = 255 } },
            dieWithLease: { account in
                let (server, label) = (account.server, account.label)
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [path = path as String, server = server as String, label = label as String] in
                    let account = CredentialAccount(server: server, clientID: "contract", label: label)
                    let lease = try await TemporaryFolder.store(below: path).lease(account, waitingAtMost: .zero)
                    kill(getpid(), SIGKILL)
                    await lease.release()
                }
            },
            writingSteps: CrashTests.writing.map(\.rawValue),
            deletingSteps: CrashTests.deleting.map(\.rawValue),
            dieWriting: { payload, account, step in
                let (server, label) = (account.server, account.label)
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [path = path as String, server = server as String, label = label as String, step = step as String, payload = payload as String] in
                    let account = CredentialAccount(server: server, clientID: "contract", label: label)
                    let store = TemporaryFolder.store(below: path, dyingAt: step)
                    try await store.store(payload, for: account, replacing: try store.readNow(account)?.version)
                }
            },
            dieDeleting: { account, step in
                let (server, label) = (account.server, account.label)
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [path = path as String, server = server as String, label = label as String, step = step as String] in
                    let account = CredentialAccount(server: server, clientID: "contract", label: label)
                    try await TemporaryFolder.store(below: path, dyingAt: step).delete(account, at: nil)
                }
            })
    }
}

private func alter(_ path: String, _ change: (inout [UInt8]) -> Void) throws {
    var bytes = try contents(of: path)
    change(&bytes)
    try write(bytes, to: path)
}

extension TemporaryFolder {
    fileprivate func recordPath(of account: CredentialAccount) -> String {
        "\(storePath)/\(hexadecimal(account.id.bytes)).credential"
    }

    fileprivate static func store(below path: String, dyingAt step: String) -> EncryptedFileStore {
        store(below: path) { reached in
            if reached.rawValue == step { kill(getpid(), SIGKILL) }
        }
    }
}

private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
