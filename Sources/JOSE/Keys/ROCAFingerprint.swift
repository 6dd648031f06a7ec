/// The fingerprint of RSA keys that can be factored because of the way in which some chips generate primes (ROCA, CVE-2017-15361).
///
/// Modulo each small prime, such a modulus is a power of 65537. The chance that the modulus of another key has this property is about one
/// in 2²⁷.
enum ROCAFingerprint {
    static let primes: [UInt32] = [
        3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109, 113, 127, 131, 137,
        139, 149, 151, 157, 163, 167,
    ]

    /// Returns whether a modulus, in big-endian order, has the fingerprint.
    static func matches(_ modulus: [UInt8]) -> Bool {
        primes.allSatisfy { prime in
            let remainder = modulus.reduce(UInt32(0)) { ($0 << 8 | UInt32($1)) % prime }
            return isPower(remainder, of: 65537 % prime, modulo: prime)
        }
    }

    private static func isPower(_ number: UInt32, of base: UInt32, modulo prime: UInt32) -> Bool {
        var power: UInt32 = 1
        repeat {
            if power == number { return true }
            power = power * base % prime
        } while power != 1
        return false
    }
}
