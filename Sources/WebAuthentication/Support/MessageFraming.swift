/// A framing that splits a stream of bytes into messages at a terminating byte; it buffers at most one incomplete message.
struct MessageFraming: Sendable {
    enum Piece: Sendable, Hashable {
        case message([UInt8])
        /// A message that is too long; its bytes were discarded.
        case oversized
    }

    private let end: UInt8
    private let maximumBytes: Int
    private var pending: [UInt8] = []
    private var isSkipping = false

    /// Creates a framing.
    ///
    /// - Parameter maximumBytes: The longest message, without the terminating byte.
    init(end: UInt8, maximumBytes: Int) {
        self.end = end
        self.maximumBytes = maximumBytes
    }

    /// Adds received bytes.
    ///
    /// - Returns: The messages that the new bytes have completed, in order.
    mutating func take(_ bytes: some Collection<UInt8>) -> [Piece] {
        var pieces: [Piece] = []
        var rest = bytes[...]
        while let index = rest.firstIndex(of: end) {
            keep(rest[..<index])
            pieces.append(isSkipping ? .oversized : .message(pending))
            pending.removeAll(keepingCapacity: true)
            isSkipping = false
            rest = rest[rest.index(after: index)...]
        }
        keep(rest)
        return pieces
    }

    private mutating func keep(_ bytes: some Collection<UInt8>) {
        guard !isSkipping else { return }
        if pending.count + bytes.count > maximumBytes {
            isSkipping = true
            pending = []
        } else {
            pending += bytes
        }
    }
}
