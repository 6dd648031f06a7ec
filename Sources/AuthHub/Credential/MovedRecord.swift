import AuthHubPrimitives
import CredentialStorage

/// A placeholder that is stored for an account between two steps of its move. It counts as no record.
///
/// It is needed because deleting a record does not report whether there was one, and a sign-out between the steps must not be missed.
enum MovedRecord {
    static let payload = Secret(Array(#"{"format":1,"moved":true}"#.utf8))

    static func isOne(_ stored: StoredCredential) -> Bool { stored.payload.reveal() == payload.reveal() }
}

extension CredentialStore {
    /// Whether the store has a record of the account, other than the placeholder of a move.
    func hasRecord(of account: CredentialAccount) async throws(CredentialStoreError) -> Bool {
        guard let stored = try await read(account) else { return false }
        return !MovedRecord.isOne(stored)
    }
}
