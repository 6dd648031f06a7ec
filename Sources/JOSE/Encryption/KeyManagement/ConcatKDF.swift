import Crypto

/// The Concat key derivation function with SHA-256 (NIST SP 800-56A §5.8.1), as ECDH-ES uses it (RFC 7518 §4.6.2).
enum ConcatKDF {
    /// Derives a key from a shared secret.
    ///
    /// - Parameters:
    ///   - algorithm: `enc` if the key is the content key, `alg` if it wraps the content key.
    ///   - partyU: The decoded `apu`; empty if absent.
    ///   - partyV: The decoded `apv`; empty if absent.
    ///   - length: The length of the key, in bytes.
    static func key(
        from secret: [UInt8], algorithm: String, partyU: [UInt8], partyV: [UInt8], length: Int
    ) -> SymmetricKey {
        let information =
            [Array(algorithm.utf8), partyU, partyV].flatMap { UInt32($0.count).bigEndianBytes + $0 } + (UInt32(length) * 8).bigEndianBytes
        var key: [UInt8] = []
        var round: UInt32 = 1
        while key.count < length {
            key += SHA256.hash(data: round.bigEndianBytes + secret + information)
            round += 1
        }
        return SymmetricKey(data: key.prefix(length))
    }
}
