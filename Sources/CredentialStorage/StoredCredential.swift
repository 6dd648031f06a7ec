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

/// An exclusive lease that is held until it is released, or until the process ends.
public final class CredentialLease: Sendable {
    private let releasing: @Sendable () async -> Void

    /// - Parameter release: Called once by ``release()``; must be harmless when called again.
    public init(release: @escaping @Sendable () async -> Void) {
        releasing = release
    }

    public func release() async {
        await releasing()
    }
}
