import AsyncHTTPClient
import NIOHTTPCompression

extension NetworkTransport {
    /// Whether a transport asks for compressed bodies and undoes the compression, and how much may come of it.
    ///
    /// Only with decompression on, `Accept-Encoding: gzip` is sent, where a request has no such field of its own and asks for no range. The
    /// response then has neither `Content-Encoding` nor `Content-Length` where they spoke of the compressed bytes, and its body no announced
    /// length. A body over the limit ends in ``HTTPLoading/LoadError`` with `.tooLarge`.
    public struct Decompression: Sendable, Hashable {
        /// In bytes of one decompressed body.
        let size: Int?
        /// How many times the compressed bytes.
        let ratio: Int?

        /// Bodies are handed on as they come.
        public static let off = Self(size: nil, ratio: nil)

        /// - Parameter size: In bytes of one decompressed body.
        public static func gzip(upTo size: Int) -> Self {
            Self(size: size, ratio: nil)
        }

        /// - Parameters:
        ///   - ratio: How many times larger than its compressed bytes a body may be, at any point of it. Text has 3 to 10, and gzip cannot do
        ///     more than 1,032.
        ///   - size: In bytes of one decompressed body; nil for no limit but the ratio.
        public static func gzip(ratio: Int, upTo size: Int? = nil) -> Self {
            Self(size: size, ratio: ratio)
        }
    }
}

extension NetworkTransport.Decompression {
    var isOn: Bool { self != .off }

    /// What the reader of a body has to count by itself: the client keeps one limit of the two.
    var sizeForReader: Int? { ratio == nil ? nil : size }

    func check() throws(NetworkTransport.ConfigurationError) {
        guard (size ?? 1) > 0, (ratio ?? 1) > 0 else { throw .init("a decompression limit is not positive") }
    }

    var forClient: HTTPClient.Decompression {
        // The client multiplies by it; what gzip cannot exceed needs no exact limit.
        if let ratio { return .enabled(limit: .ratio(min(ratio, 10_000))) }
        if let size { return .enabled(limit: .size(size)) }
        return .disabled
    }
}
