import AuthHubPrimitives
import CredentialStorage

/// What stands in an account's place for the moment between two steps of its move: as good as no record.
///
/// The store's deletion does not tell whether there was something to delete, and a sign-out in between must not be missed.
enum MovedRecord {
    static let payload = Secret(Array(#"{"format":1,"moved":true}"#.utf8))

    static func isOne(_ stored: StoredCredential) -> Bool { stored.payload.reveal() == payload.reveal() }
}
