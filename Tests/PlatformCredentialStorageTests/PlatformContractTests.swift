import AuthHubTesting
import PlatformCredentialStorage
import Testing

struct PlatformContractTests {
    @Test(arguments: CredentialStoreContract.checks)
    func `the platform's store keeps the contract, whichever it is`(check: CredentialStoreContract.Check) async throws {
        let bench = try PlatformBench(keyring: .usable)
        try await check.run { bench.store() }
    }
}
