package import AuthHubPrimitives
import Crypto
import Platform

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

    package func digest(of bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBytes(digest(of:)) }

    /// Returns the hash of a string in UTF-8.
    package func digest(of text: Secret<String>) -> [UInt8] {
        var text = text.reveal()
        return text.withUTF8 { digest(of: UnsafeRawBufferPointer($0)) }
    }

    private func digest(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
        switch self {
        case .sha256: digest(of: bytes, by: SHA256.self)
        case .sha384: digest(of: bytes, by: SHA384.self)
        case .sha512: digest(of: bytes, by: SHA512.self)
        }
    }

    private func digest<Function: HashFunction>(of bytes: UnsafeRawBufferPointer, by _: Function.Type) -> [UInt8] {
        var function = Function()
        function.update(bufferPointer: bytes)
        return function.finalize().withUnsafeBytes { [UInt8]($0) }
    }
}
