import AsyncHTTPClient
import NIOHTTPCompression

extension NetworkTransport {
    /// Whether a transport requests and decompresses compressed bodies, and the limits for the decompressed size.
    ///
    /// If decompression is on, the transport adds `Accept-Encoding: gzip` to requests, unless they already have this field or request a
    /// range. A decompressed response has no `Content-Encoding` and no `Content-Length`, and the length of its body is unknown in advance.
    /// A body over the limit fails with ``HTTPLoading/LoadError`` and `.tooLarge`.
    public struct Decompression: Sendable, Hashable {
        /// The maximum size of a decompressed body, in bytes.
        let size: Int?
        /// The maximum ratio of decompressed to compressed bytes.
        let ratio: Int?

        /// No decompression: bodies are returned as they are received.
        public static let off = Self(size: nil, ratio: nil)

        /// Decompresses gzip up to a size.
        ///
        /// - Parameter size: The maximum size of a decompressed body, in bytes.
        public static func gzip(upTo size: Int) -> Self {
            Self(size: size, ratio: nil)
        }

        /// Decompresses gzip up to a ratio.
        ///
        /// - Parameters:
        ///   - ratio: The maximum ratio of decompressed to compressed bytes, at any point of the body. Text has a ratio of 3 to 10, and
        ///     gzip cannot exceed 1,032.
        ///   - size: The maximum size of a decompressed body, in bytes; nil for no limit other than the ratio.
        public static func gzip(ratio: Int, upTo size: Int? = nil) -> Self {
            Self(size: size, ratio: ratio)
        }
    }
}

extension NetworkTransport.Decompression {
    var isOn: Bool { self != .off }

    /// The limit that the reader of a body has to enforce itself, because the client supports only one of the two limits.
    var sizeForReader: Int? { ratio == nil ? nil : size }

    func check() throws(NetworkTransport.ConfigurationError) {
        guard (size ?? 1) > 0, (ratio ?? 1) > 0 else { throw .init("a decompression limit is not positive") }
    }

    var forClient: HTTPClient.Decompression {
        // The client multiplies by the ratio; a limit that gzip cannot exceed need not be exact.
        if let ratio { return .enabled(limit: .ratio(min(ratio, 10_000))) }
        if let size { return .enabled(limit: .size(size)) }
        return .disabled
    }
}
