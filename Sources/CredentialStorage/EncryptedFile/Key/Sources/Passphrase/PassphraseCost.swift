package import AuthHubPrimitives
package import Crypto
import CryptoExtras

/// What it takes to try one passphrase with scrypt (RFC 7914), for its owner and for those who guess.
package struct PassphraseCost: Sendable, Hashable {
    /// The binary logarithm of N, which time and memory grow with.
    let exponent: UInt8
    /// r; 8 in all known uses.
    let blockSize: UInt8
    /// p, which time grows with.
    let parallelism: UInt8

    package init(exponent: UInt8, blockSize: UInt8 = 8, parallelism: UInt8 = 1) {
        self.exponent = exponent
        self.blockSize = blockSize
        self.parallelism = parallelism
    }
}

extension PassphraseCost {
    /// 128 MiB and some tenths of a second: the first choice of OWASP's Password Storage Cheat Sheet.
    package static let recommended = Self(exponent: 17)

    /// Whether a file may ask for it. The most takes 256 MiB, and eight times the recommended time.
    var isBearable: Bool {
        (12...18).contains(exponent) && blockSize == 8 && (1...4).contains(parallelism)
    }

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
