import AuthHub
@testable import AuthHubCommand
@testable import AuthHubCommandTests
import AuthHubPrimitives
import CredentialStorage

extension Tool {
    /// The store that the tool uses, opened by the test.
    var store: EncryptedFileStore { ToolStore.inFolder("\(folder.path)/store") }

    /// Returns the accounts of all records, even of unlisted ones.
    func records() async throws -> [CredentialAccount] {
        try await store.inventory(includingUnlisted: true).accounts
    }

    struct NothingStored: Error {}

    private func tokenAccount(_ label: String) throws -> CredentialAccount {
        guard let record = try store.readNow(AccountSettings.recordAccount(label: label)),
            let account = AccountSettings.tokenAccount(in: record.payload, label: label)
        else { throw NothingStored() }
        return account
    }

    /// The stored tokens, as in the record.
    func storedCredential(_ label: String = "default") throws -> JSONValue {
        guard let record = try store.readNow(try tokenAccount(label)) else { throw NothingStored() }
        return try JSONValue(strict: record.payload.reveal())
    }

    /// Overwrites the stored settings of an account.
    func replaceSettings(of label: String, with text: String) async throws {
        let record = AccountSettings.recordAccount(label: label)
        _ = try await store.write(Secret(Array(text.utf8)), for: record, replacing: store.readNow(record)?.version)
    }

    /// Makes the stored access token expire a minute ago, without waiting for it.
    ///
    /// - Parameter isRenewable: Whether the record keeps its refresh token.
    func expireStoredToken(_ label: String = "default", isRenewable: Bool = true) async throws {
        let account = try tokenAccount(label)
        guard let record = try store.readNow(account), var members = try JSONValue(strict: record.payload.reveal()).object,
            let issuedAt = members["issued_at"]?.number?.int64
        else { throw NothingStored() }
        members["issued_at"] = .number(JSONNumber(issuedAt - 3_600_000))
        members["expires_at"] = .number(JSONNumber(issuedAt - 60_000))
        if !isRenewable { members["refresh_token"] = nil }
        guard case .stored = try await store.write(Secret(JSONValue.object(members).serialized()), for: account, replacing: record.version)
        else { throw NothingStored() }
    }
}
