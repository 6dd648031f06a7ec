import Crypto

extension UnusualKey {
    /// Returns a signature that Ed25519 with a key of zeros accepts.
    ///
    /// The key has the order 4. So R = S · B verifies every message whose hash is a multiple of 4, which each fourth R achieves.
    static func signatureOfZeros(of bytes: [UInt8]) -> [UInt8]? {
        guard let zeros = try? Curve25519.Signing.PublicKey(rawRepresentation: [UInt8](repeating: 0, count: 32)) else { return nil }
        for _ in 0..<256 {
            let key = Curve25519.Signing.PrivateKey()
            let signature = Array(key.publicKey.rawRepresentation) + reduced(scalar(of: key))
            if zeros.isValidSignature(signature, for: bytes) { return signature }
        }
        return nil
    }

    /// The secret scalar of a key (RFC 8032 §5.1.5), with the least significant byte first.
    private static func scalar(of key: Curve25519.Signing.PrivateKey) -> [UInt8] {
        var scalar = Array(SHA512.hash(data: key.rawRepresentation).prefix(32))
        scalar[0] &= 0xF8
        scalar[31] = scalar[31] & 0x7F | 0x40
        return scalar
    }

    /// The order of the group.
    private static let order: [UInt8] =
        [0xED, 0xD3, 0xF5, 0x5C, 0x1A, 0x63, 0x12, 0x58, 0xD6, 0x9C, 0xF7, 0xA2, 0xDE, 0xF9, 0xDE, 0x14]
        + [UInt8](repeating: 0, count: 15) + [0x10]

    private static func reduced(_ scalar: [UInt8]) -> [UInt8] {
        var rest = scalar
        while let less = difference(rest, order) { rest = less }
        return rest
    }

    /// Returns the difference of two numbers; nil if it is negative.
    private static func difference(_ left: [UInt8], _ right: [UInt8]) -> [UInt8]? {
        var borrow = 0
        let digits = zip(left, right).map { left, right in
            let digit = Int(left) - Int(right) - borrow
            borrow = digit < 0 ? 1 : 0
            return UInt8(truncatingIfNeeded: digit)
        }
        return borrow == 0 ? digits : nil
    }
}
