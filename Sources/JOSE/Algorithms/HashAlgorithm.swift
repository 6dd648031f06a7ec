import Crypto

/// A hash function of the SHA-2 family.
package enum HashAlgorithm: Sendable {
    case sha256, sha384, sha512

    /// The length of a digest in bytes.
    package var length: Int {
        switch self {
        case .sha256: SHA256.byteCount
        case .sha384: SHA384.byteCount
        case .sha512: SHA512.byteCount
        }
    }

    package func digest(of bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .sha256: Array(SHA256.hash(data: bytes))
        case .sha384: Array(SHA384.hash(data: bytes))
        case .sha512: Array(SHA512.hash(data: bytes))
        }
    }
}
