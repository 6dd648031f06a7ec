import CredentialStorage
import AuthHubPrimitives

/// The attributes of one service's items in the keyring. Attributes are not secret: keyrings store them without encryption, or nearly so.
struct ServiceItem: Sendable {
    static let recordSchema = "authhub.Credential"
    static let keySchema = "authhub.StoreKey"
    static let accountAttribute = "account"

    let service: String
}

extension ServiceItem {
    /// The attributes of all records.
    var records: [(String, String)] {
        [("xdg:schema", Self.recordSchema), ("service", service)]
    }

    /// Returns the attributes by which an account's record is found.
    func record(of account: CredentialAccount.ID) -> [(String, String)] {
        records + [(Self.accountAttribute, account.bytes.hexadecimal)]
    }

    /// Returns the attributes of a new record.
    func newRecord(of account: CredentialAccount.ID) -> [(String, String)] {
        record(of: account) + [("version", "\(ServiceRecord.format)")]
    }

    var key: [(String, String)] {
        [("xdg:schema", Self.keySchema), ("service", service)]
    }

    /// Returns the label that users see in their password manager.
    func label(of account: CredentialAccount) -> String {
        displayable("\(service): \(account.server) (\(account.label))", limit: 200)
    }

    var keyLabel: String { displayable("\(service): key of the encrypted store", limit: 200) }
}
