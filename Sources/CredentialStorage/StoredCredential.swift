public import AuthHubPrimitives

/// A record of a store, with its version.
public struct StoredCredential: Sendable {
    /// The content of the record. Stores do not interpret it.
    public let payload: Secret<[UInt8]>
    /// The version of the record. Pass it to the next write as the version to replace.
    public let version: CredentialVersion

    /// Creates a record with the version that a store assigned to it.
    public init(payload: Secret<[UInt8]>, version: CredentialVersion) {
        self.payload = payload
        self.version = version
    }
}

extension StoredCredential {
    /// The size in bytes of the largest payload that every store accepts: 1 MiB. A larger one is rejected with `.tooLarge`.
    package static let largestPayload = 1 << 20

    package static func checkSize(of payload: Secret<[UInt8]>) throws(CredentialStoreError) {
        let size = payload.reveal().count
        guard size <= largestPayload else {
            throw CredentialStoreError(
                .tooLarge, "the record has \(size) bytes, but a store accepts at most \(largestPayload); store less data")
        }
    }
}

/// The version of a record, which identifies one write. No version is ever used twice, even if a record is deleted and created again.
public struct CredentialVersion: Sendable, Hashable {
    /// The bytes to compare, such as the 16 random bytes of ``unique()``.
    public let bytes: [UInt8]

    /// Creates a version from its stored bytes.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns a new version, which has never been used before.
    public static func unique() -> Self {
        Self(bytes: randomBytes(count: 16))
    }
}

/// The outcome of a write: stored, or superseded by another writer.
public enum CredentialWriteOutcome: Sendable {
    case stored(CredentialVersion)
    /// The record was not written, because the account has another version (nil: no record).
    case superseded(by: StoredCredential?)
}
