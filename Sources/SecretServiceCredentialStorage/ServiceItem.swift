import CredentialStorage
import AuthHubPrimitives

/// What the items of one service are called in the keyring. Attributes are not secret: keyrings keep them open, or nearly so.
struct ServiceItem: Sendable {
    static let recordSchema = "authhub.Credential"
    static let keySchema = "authhub.StoreKey"
    static let accountAttribute = "account"

    let service: String
}

extension ServiceItem {
    /// What all records have.
    var records: [(String, String)] {
        [("xdg:schema", Self.recordSchema), ("service", service)]
    }

    /// What an account's record is found by.
    func record(of account: CredentialAccount.ID) -> [(String, String)] {
        records + [(Self.accountAttribute, account.bytes.hexadecimal)]
    }

    /// What a new record has.
    func newRecord(of account: CredentialAccount.ID) -> [(String, String)] {
        record(of: account) + [("version", "\(ServiceRecord.format)")]
    }

    var key: [(String, String)] {
        [("xdg:schema", Self.keySchema), ("service", service)]
    }

    /// What people see in their password program.
    func label(of account: CredentialAccount) -> String {
        displayable("\(service): \(account.server) (\(account.label))", limit: 200)
    }

    var keyLabel: String { displayable("\(service): key of the encrypted store", limit: 200) }
}
