/// Cuts a stream of bytes into messages at the byte that ends each of them; keeps at most one message that is under way.
struct MessageFraming: Sendable {
    enum Piece: Sendable, Hashable {
        case message([UInt8])
        /// A message that is longer than allowed; its bytes were thrown away.
        case oversized
    }

    private let end: UInt8
    private let maximumBytes: Int
    private var pending: [UInt8] = []
    private var isSkipping = false

    /// - Parameter maximumBytes: The longest message, without the byte that ends it.
    init(end: UInt8, maximumBytes: Int) {
        self.end = end
        self.maximumBytes = maximumBytes
    }

    /// - Returns: What the new bytes have completed, in order.
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
