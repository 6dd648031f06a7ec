import AuthHubTesting
import Testing

/// What every store has to pass, on a stand-in for Apple's keychain.
@Suite(.timeLimit(.minutes(3)))
struct KeychainContractTests {
    @Test(arguments: CredentialStoreContract.checks)
    func `the keychain keeps the contract`(check: CredentialStoreContract.Check) async throws {
        let setting = Setting()
        defer { setting.cleanUp() }
        try await check.run { setting.store() }
    }
}
