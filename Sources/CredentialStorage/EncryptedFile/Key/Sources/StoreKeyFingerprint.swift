package import AuthHubPrimitives
import Crypto

/// Identifies a key without revealing it: 16 bytes from which the key cannot be computed.
package struct StoreKeyFingerprint: Sendable, Hashable {
    /// The length in bytes.
    package static let length = 16

    /// The ``length`` bytes of the fingerprint, which need not be kept secret.
    package let bytes: [UInt8]

    /// Creates the fingerprint of a key: the start of an HMAC with SHA-256 under the key itself.
    package init(of key: Secret<[UInt8]>) {
        let code = HMAC<SHA256>.authenticationCode(
            for: Array("AuthHub store key fingerprint".utf8), using: SymmetricKey(data: key.reveal()))
        bytes = Array(code.prefix(Self.length))
    }

    /// Creates a fingerprint from stored bytes. Nil if their length is wrong.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }
}

/// A key source that can identify its key without asking anyone.
package protocol FingerprintedKeySource: StoreKeySource {
    /// Returns the fingerprint of the current key; nil if there is none.
    func fingerprint() throws(CredentialStoreError) -> StoreKeyFingerprint?
}
