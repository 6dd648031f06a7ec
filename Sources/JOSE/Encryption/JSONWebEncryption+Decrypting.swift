public import AuthHubPrimitives
import Crypto

extension JSONWebEncryption {
    private static let mostKeys = 4

    /// Decrypts the content (RFC 7516 §5.2).
    ///
    /// A key fits if its type, curve and length fit the algorithm, if it has the header's key ID (if the header has one), and if its `alg`
    /// and `key_ops` allow it. If up to four keys fit, all of them are tried.
    ///
    /// - Parameters:
    ///   - keys: The keys of the client.
    ///   - policy: The algorithms that the client registered.
    /// - Throws: ``JOSEError``: `.notAllowed` if the policy does not allow an algorithm, `.noKey` if no key fits, `.ambiguousKey` if more
    ///   than four fit, `.decryptionFailed` if the token cannot be decrypted, whatever the reason is.
    public func decrypted(by keys: [DecryptionKey], allowing policy: DecryptionPolicy) throws(JOSEError) -> Secret<[UInt8]> {
        guard policy.keyManagement.contains(header.algorithm), policy.contentEncryption.contains(header.encryption) else {
            throw JOSEError(.notAllowed, "alg or enc is not what the client registered")
        }
        let fitting = keys.filter { $0.fits(header) }
        guard !fitting.isEmpty else { throw JOSEError(.noKey, "no key fits the encrypted token") }
        guard fitting.count <= Self.mostKeys else {
            throw JOSEError(.ambiguousKey, "more than \(Self.mostKeys) keys fit the encrypted token; give keys different IDs")
        }
        for key in fitting {
            if let plaintext = opened(with: key) { return Secret(plaintext) }
        }
        throw JOSEError(.decryptionFailed, "the token cannot be decrypted")
    }

    /// Decrypts the content with a key; nil if anything fails.
    ///
    /// If the content key cannot be decrypted, a random one takes its place, so that an attacker cannot tell, not even by the time that it
    /// takes, whether the content key or the content was wrong (RFC 7516 §11.5).
    private func opened(with key: DecryptionKey) -> [UInt8]? {
        let parts = parts.reveal()
        let random = SymmetricKey(size: SymmetricKeySize(bitCount: header.cipher.keyLength * 8))
        let found = key.material.reveal()
            .contentKey(parts.encryptedKey, header.algorithm, header.parameters, for: header.encryption, header.cipher)
        let contentKey = found.flatMap { $0.bitCount == random.bitCount ? $0 : nil } ?? random
        return header.cipher.open(parts.content, with: contentKey, authenticating: parts.protectedHeader)
    }
}
