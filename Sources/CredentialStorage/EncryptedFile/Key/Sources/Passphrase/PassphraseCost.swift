package import AuthHubPrimitives
package import Crypto
import CryptoExtras

/// The cost of trying one passphrase with scrypt (RFC 7914), for its owner and for attackers.
package struct PassphraseCost: Sendable, Hashable {
    /// The binary logarithm of N; time and memory grow with N.
    let exponent: UInt8
    /// The parameter r; 8 in all known uses.
    let blockSize: UInt8
    /// The parameter p; time grows with it.
    let parallelism: UInt8

    package init(exponent: UInt8, blockSize: UInt8 = 8, parallelism: UInt8 = 1) {
        self.exponent = exponent
        self.blockSize = blockSize
        self.parallelism = parallelism
    }
}

extension PassphraseCost {
    /// 128 MiB and a few tenths of a second: the first recommendation of OWASP's Password Storage Cheat Sheet.
    package static let recommended = Self(exponent: 17)

    /// Whether this cost is accepted from a file. The maximum is 256 MiB and eight times the recommended time.
    var isBearable: Bool {
        (12...18).contains(exponent) && blockSize == 8 && (1...4).contains(parallelism)
    }

    /// Derives a key from a passphrase.
    ///
    /// - Parameter passphrase: At least one byte.
    package func key(from passphrase: Secret<[UInt8]>, salt: [UInt8]) throws(CredentialStoreError) -> SymmetricKey {
        do {
            return try KDF.Scrypt.deriveKey(
                from: passphrase.reveal(), salt: salt, outputByteCount: 32,
                rounds: 1 << Int(exponent), blockSize: Int(blockSize), parallelism: Int(parallelism))
        } catch {
            throw CredentialStoreError(
                .failed,
                "no key could be derived from the passphrase, which needs \(1 << (Int(exponent) - 3)) MiB of memory; free some memory",
                underlying: error)
        }
    }
}
