public import AuthHubPrimitives

/// A record as stored.
public struct StoredCredential: Sendable {
    public let payload: Secret<[UInt8]>
    public let version: CredentialVersion

    public init(payload: Secret<[UInt8]>, version: CredentialVersion) {
        self.payload = payload
        self.version = version
    }
}

extension StoredCredential {
    /// The size in bytes of the largest payload that every store accepts: 1 MiB. A larger one is rejected with `.tooLarge`.
    public static let largestPayload = 1 << 20

    package static func checkSize(of payload: Secret<[UInt8]>) throws(CredentialStoreError) {
        let size = payload.reveal().count
        guard size <= largestPayload else {
            throw CredentialStoreError(.tooLarge, "the record has \(size) bytes, but a store accepts at most \(largestPayload); store less")
        }
    }
}

/// Identifies one write of one record permanently: a record that is deleted and created again never has an old version.
public struct CredentialVersion: Sendable, Hashable {
    public let bytes: [UInt8]

    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns a version that was never used before.
    public static func unique() -> Self {
        Self(bytes: randomBytes(count: 16))
    }
}

public enum CredentialWriteOutcome: Sendable {
    case stored(CredentialVersion)
    /// The account has another version (nil: none).
    case superseded(by: StoredCredential?)
}
