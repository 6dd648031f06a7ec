public import AuthHubPrimitives

/// A record as it is stored.
public struct StoredCredential: Sendable {
    public let payload: Secret<[UInt8]>
    public let version: CredentialVersion

    public init(payload: Secret<[UInt8]>, version: CredentialVersion) {
        self.payload = payload
        self.version = version
    }
}

extension StoredCredential {
    /// The largest payload in bytes that every store accepts: 1 MiB. A larger one is rejected with `.tooLarge`.
    public static let largestPayload = 1 << 20

    package static func checkSize(of payload: Secret<[UInt8]>) throws(CredentialStoreError) {
        let size = payload.reveal().count
        guard size <= largestPayload else {
            throw CredentialStoreError(.tooLarge, "The record has \(size) bytes; a store takes \(largestPayload) at most. Store less.")
        }
    }
}

/// A permanent identifier of one write of one record: a record that was deleted and created again never has an old version.
public struct CredentialVersion: Sendable, Hashable {
    public let bytes: [UInt8]

    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Creates a version that was never used before.
    public static func unique() -> Self {
        Self(bytes: randomBytes(count: 16))
    }
}

public enum CredentialWriteOutcome: Sendable {
    case stored(CredentialVersion)
    /// Another version is stored (nil: no record).
    case superseded(by: StoredCredential?)
}
