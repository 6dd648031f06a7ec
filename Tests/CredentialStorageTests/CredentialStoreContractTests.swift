import AuthHubTesting
import CredentialStorage
import Testing

struct CredentialStoreContractTests {
    @Test(arguments: CredentialStoreContract.checks)
    func `the memory store fulfils the contract`(check: CredentialStoreContract.Check) async throws {
        let store = MemoryCredentialStore()
        try await check.run { store }
    }

    @Test(arguments: CredentialStoreContract.checks)
    func `the encrypted file store fulfils the contract`(check: CredentialStoreContract.Check) async throws {
        let folder = try TemporaryFolder()
        try await check.run { folder.store() }
    }

    @Test(arguments: CredentialStoreContract.checks)
    func `the plain file store fulfils the contract`(check: CredentialStoreContract.Check) async throws {
        let folder = try TemporaryFolder()
        try await check.run { folder.anyStore(.plain) }
    }

    @Test(arguments: CredentialStoreContract.checks)
    func `the platform's store fulfils the contract, whichever it is`(check: CredentialStoreContract.Check) async throws {
        let bench = try PlatformBench(keyring: .usable)
        try await check.run { bench.store() }
    }

    @Test func `the contract detects a store that loses writes`() async throws {
        var broken: [String] = []
        for check in CredentialStoreContract.checks {
            do {
                try await check.run { ForgetfulStore() }
            } catch is CredentialStoreContract.Violation {
                broken.append(check.sentence)
            }
        }
        #expect(broken.contains("What was written is read back, with its version, through every handle."))
        #expect(broken.contains("A first write loses where a record stands already."))
        #expect(broken.contains("A lease excludes others through every handle, until it is released."))
    }
}
