public import AuthHubPrimitives
import Crypto

/// Tells keys apart without telling them: 16 bytes that no one gets back to the key from.
public struct StoreKeyFingerprint: Sendable, Hashable {
    /// The length in bytes.
    public static let length = 16

    public let bytes: [UInt8]

    /// The fingerprint of a key: the start of an HMAC with SHA-256 under the key itself.
    public init(of key: Secret<[UInt8]>) {
        let code = HMAC<SHA256>.authenticationCode(
            for: Array("AuthHub store key fingerprint".utf8), using: SymmetricKey(data: key.reveal()))
        bytes = Array(code.prefix(Self.length))
    }

    /// A fingerprint that was kept. Nil where its length is another.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }
}

/// A source that can tell which key it holds without asking anyone for anything.
public protocol FingerprintedKeySource: StoreKeySource {
    /// The fingerprint of the key that stands now; nil where there is none.
    func fingerprint() throws(CredentialStoreError) -> StoreKeyFingerprint?
}
