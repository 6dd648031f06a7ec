import AuthHubPrimitives
import Crypto
import CryptoExtras

extension UnusualKey {
    private static let p256 = P256.Signing.PrivateKey()
    private static let p384 = P384.Signing.PrivateKey()
    private static let keyWithWeakPrimes = Base64URL.decode(encodedROCA).flatMap { try? _RSA.Signing.PrivateKey(derRepresentation: $0) }
    private static var small: _RSA.Signing.PrivateKey? { RSAKeyPool.key(.init(use: "small", number: 0), bits: 1024) }
    private static var large: _RSA.Signing.PrivateKey? { RSAKeyPool.key(.init(use: SigningAlgorithm.rs256.rawValue, number: 0)) }

    /// The type and the parameters of the public key.
    var members: JSONObject {
        switch self {
        case .unpublished: return Self.p256.publicKey.members
        case .otherCurve: return Self.p384.publicKey.members
        case .smallRSA: return Self.small?.publicKey.members ?? JSONObject()
        case .roca: return Self.keyWithWeakPrimes?.publicKey.members ?? JSONObject()
        case .exponentOne:
            var members = Self.large?.publicKey.members ?? JSONObject()
            members["e"] = "AQ"
            return members
        case .smallOrder: return JSONObject(edwardsPoint: Self.neutral)
        case .zeros: return JSONObject(edwardsPoint: [UInt8](repeating: 0, count: 32))
        }
    }

    /// Returns a signature of bytes that a client accepts if it does not check the key.
    func signature(of bytes: [UInt8]) -> [UInt8]? {
        switch self {
        case .unpublished: (try? Self.p256.signature(for: bytes)).map { Array($0.rawRepresentation) }
        case .otherCurve: (try? Self.p384.signature(for: bytes)).map { Array($0.rawRepresentation) }
        case .smallRSA: Self.small.flatMap { Self.signature(of: bytes, by: $0) }
        case .roca: Self.keyWithWeakPrimes.flatMap { Self.signature(of: bytes, by: $0) }
        case .exponentOne: Self.padded(SHA256.hash(data: bytes), length: 256)
        case .zeros: Self.signatureOfZeros(of: bytes)
        case .smallOrder: Self.neutral + [UInt8](repeating: 0, count: 32)
        }
    }

    private static func signature(of bytes: [UInt8], by key: _RSA.Signing.PrivateKey) -> [UInt8]? {
        (try? key.signature(for: bytes, padding: .insecurePKCS1v1_5)).map { Array($0.rawRepresentation) }
    }

    /// The encoding of the neutral element (RFC 8032 §5.1.2). With S = 0, its signature of every message is the element again.
    private static let neutral: [UInt8] = [1] + [UInt8](repeating: 0, count: 31)

    /// EMSA-PKCS1-v1_5 with SHA-256 (RFC 8017 §9.2).
    private static func padded(_ digest: SHA256Digest, length: Int) -> [UInt8] {
        let info: [UInt8] = [
            0x30, 0x31, 0x30, 0x0D, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04, 0x20,
        ]
        let fill = [UInt8](repeating: 0xFF, count: length - info.count - 32 - 3)
        return [0, 1] + fill + [0] + info + Array(digest)
    }
}
