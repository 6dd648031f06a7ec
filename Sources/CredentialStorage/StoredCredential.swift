public import AuthHubPrimitives

/// A record as it stands in a store.
public struct StoredCredential: Sendable {
    public let payload: Secret<[UInt8]>
    public let version: CredentialVersion

    public init(payload: Secret<[UInt8]>, version: CredentialVersion) {
        self.payload = payload
        self.version = version
    }
}

extension StoredCredential {
    /// The largest payload in bytes that every store takes: 1 MiB. A larger one is refused with `.tooLarge`.
    public static let largestPayload = 1 << 20

    package static func checkSize(of payload: Secret<[UInt8]>) throws(CredentialStoreError) {
        let size = payload.reveal().count
        guard size <= largestPayload else {
            throw CredentialStoreError(.tooLarge, "the record has \(size) bytes, but a store accepts at most \(largestPayload); store less")
        }
    }
}

/// Names one write of one record, for ever: a record that was deleted and made again never has an old version.
public struct CredentialVersion: Sendable, Hashable {
    public let bytes: [UInt8]

    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// A version that was never used before.
    public static func unique() -> Self {
        Self(bytes: randomBytes(count: 16))
    }
}

public enum CredentialWriteOutcome: Sendable {
    case stored(CredentialVersion)
    /// Another version stands there (nil: none).
    case superseded(by: StoredCredential?)
}
