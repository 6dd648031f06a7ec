import AuthHubTesting
import CredentialStorage
import Foundation
import Security
import Testing

@testable import SystemCredentialStorageOnLinux

/// The contract of every store, with a stub of Apple's keychain.
@Suite(.timeLimit(.minutes(3)))
struct KeychainContractTests {
    @Test(arguments: CredentialStoreContract.checks)
    func `the keychain fulfils the contract`(check: CredentialStoreContract.Check) async throws {
        let setting = Setting()
        defer { setting.cleanUp() }
        try await check.run { setting.store() }
    }

    /// Omits the checks in which a process is killed, because the stub's items exist only in this process. A write is a single system
    /// call.
    @Test(arguments: CredentialStoreContract.durabilityChecks.filter { !$0.description.contains("killed") })
    func `the keychain survives damage`(check: CredentialStoreContract.DurabilityCheck) async throws {
        let setting = Setting()
        defer { setting.cleanUp() }
        let keychain = setting.keychain
        try await check.run(
            with: CredentialStoreContract.Means(
                makeStore: { setting.store() },
                damage: { keychain.spoil(kSecAttrGeneric, of: $0.id.keychainName) { Data($0.prefix(1)) } },
                makeNewer: { account in
                    for attribute in [kSecAttrGeneric, kSecValueData] {
                        keychain.spoil(attribute, of: account.id.keychainName) { Data([2]) + $0.dropFirst() }
                    }
                },
                dieWithLease: { _ in }, writingSteps: [], deletingSteps: [], dieWriting: { _, _, _ in }, dieDeleting: { _, _ in }))
    }
}
