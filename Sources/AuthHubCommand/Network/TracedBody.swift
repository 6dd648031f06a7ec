/// The beginning of a body for a trace.
struct TracedBody: Sendable {
    enum End: Hashable {
        /// The body was not read to its end.
        case missing
        case reached
        /// The body has more bytes.
        case cut
    }

    private(set) var bytes: [UInt8] = []
    private(set) var end = End.missing

    /// The longest body that is shown. Masking a longer one would take too long.
    static let limit = 64 * 1024

    /// Appends the next part of the body; nil is its end.
    mutating func append(_ chunk: ArraySlice<UInt8>?) {
        guard end != .cut else { return }
        guard let chunk else { return end = .reached }
        let room = Self.limit - bytes.count
        bytes += chunk.prefix(room)
        if chunk.count > room { end = .cut }
    }
}
