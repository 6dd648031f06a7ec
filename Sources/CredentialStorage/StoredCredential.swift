public import AuthHubPrimitives

/// A record as stored.
public struct StoredCredential: Sendable {
    /// The content of the record, which stores do not interpret.
    public let payload: Secret<[UInt8]>
    /// The version of the write that stored the payload; the next write names it as the one to replace.
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

/// Identifies one write of one record permanently: a record that is deleted and created again never has an old version.
public struct CredentialVersion: Sendable, Hashable {
    /// The bytes to compare, such as the 16 random bytes of ``unique()``.
    public let bytes: [UInt8]

    /// Creates a version from the bytes that a store recorded.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns a version that was never used before.
    public static func unique() -> Self {
        Self(bytes: randomBytes(count: 16))
    }
}

/// The outcome of a write that did not fail: stored, or superseded by another writer.
public enum CredentialWriteOutcome: Sendable {
    case stored(CredentialVersion)
    /// The account has another version (nil: none).
    case superseded(by: StoredCredential?)
}
