import AuthHubPrimitives
import CredentialStorage

extension CredentialStoreContract {
    /// The tools of a check: the store, other handles for it, and accounts that no other check uses.
    struct Bench: Sendable {
        let store: any CredentialStore
        let account: CredentialAccount
        private let makeStore: MakeStore
        private let sentence: String

        init(makeStore: @escaping MakeStore, sentence: String) async throws {
            self.makeStore = makeStore
            self.sentence = sentence
            store = try await makeStore()
            account = CredentialAccount(server: "https://\(Base64URL.encode(randomBytes(count: 16))).example", clientID: "contract")
        }
    }
}

extension CredentialStoreContract.Bench {
    func anotherHandle() async throws -> any CredentialStore {
        try await makeStore()
    }

    /// Returns another account for this check.
    func account(client: String = "contract", _ label: String) -> CredentialAccount {
        CredentialAccount(server: account.server, clientID: client, label: label)
    }

    /// Writes a record that the store must accept.
    @discardableResult
    func write(
        _ text: String, _ account: CredentialAccount? = nil, replacing expected: CredentialVersion? = nil
    ) async throws -> CredentialVersion {
        try await write(Array(text.utf8), account ?? self.account, replacing: expected)
    }

    @discardableResult
    func write(
        _ payload: [UInt8], _ account: CredentialAccount, replacing expected: CredentialVersion? = nil
    ) async throws -> CredentialVersion {
        switch try await store.write(Secret(payload), for: account, replacing: expected) {
        case .stored(let version): return version
        case .superseded: throw violation("A write based on the current version was rejected.")
        }
    }

    func expect(_ holds: Bool, _ finding: @autoclosure () -> String) throws {
        guard holds else { throw violation(finding()) }
    }

    func expect(_ text: String?, stands account: CredentialAccount? = nil) async throws {
        let found = try await store.read(account ?? self.account)
        try expect(found?.payload.reveal() == text.map { Array($0.utf8) }, "The store does not hold the account's last record.")
    }

    /// Runs an operation that must fail with a code.
    func expect(
        _ code: CredentialStoreError.Code, _ work: () async throws -> Void
    ) async throws {
        do {
            try await work()
        } catch let error as CredentialStoreError {
            return try expect(error.code == code, "The operation failed with “\(error)” instead of “\(code)”.")
        }
        throw violation("The operation did not fail with “\(code)”.")
    }

    func violation(_ finding: String) -> CredentialStoreContract.Violation {
        CredentialStoreContract.Violation(sentence: sentence, finding: finding)
    }

    /// Removes the records that the check has left, if the store allows it.
    func removeRecords() async {
        var found: [CredentialAccount] = []
        if let store = store as? any CredentialInventory {
            found = (try? await store.inventory().accounts) ?? []
        } else {
            found = (try? await store.accounts()) ?? []
        }
        for account in [account] + found where account.server == self.account.server {
            _ = try? await store.delete(account, at: nil)
        }
    }
}
