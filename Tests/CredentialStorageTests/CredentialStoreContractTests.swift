import AuthHubTesting
import CredentialStorage
import CredentialStorageTestSupport
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

    @Test func `a store that loses writes is found out`() async throws {
        var broken: [String] = []
        for check in CredentialStoreContract.checks {
            do {
                try await check.run { ForgetfulStore() }
            } catch is CredentialStoreContract.Violation {
                broken.append(check.sentence)
            }
        }
        #expect(broken.contains("A record is read back with its version through every handle."))
        #expect(broken.contains("A first write is rejected if there already is a record."))
        #expect(broken.contains("A lease excludes all other callers, through every handle, until it is released."))
    }
}
