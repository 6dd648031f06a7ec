/// One end of a connection between two peers: whole messages, in order, in both directions.
struct PeerLink: Sendable {
    /// What the other end sends, for one reader; ends with the connection.
    let incoming: AsyncStream<[UInt8]>
    private let outgoing: AsyncStream<[UInt8]>.Continuation
    private let incomingEnd: AsyncStream<[UInt8]>.Continuation

    /// Both ends of a connection within this process.
    static func pair() -> (PeerLink, PeerLink) {
        let (toRight, leftOut) = AsyncStream<[UInt8]>.makeStream(bufferingPolicy: .bufferingOldest(1_000))
        let (toLeft, rightOut) = AsyncStream<[UInt8]>.makeStream(bufferingPolicy: .bufferingOldest(1_000))
        return (
            PeerLink(incoming: toLeft, outgoing: leftOut, incomingEnd: rightOut),
            PeerLink(incoming: toRight, outgoing: rightOut, incomingEnd: leftOut)
        )
    }

    /// - Returns: Whether the message is on its way: not where the connection has ended, or the other end is a thousand messages behind.
    func send(_ message: [UInt8]) -> Bool {
        if case .enqueued = outgoing.yield(message) { true } else { false }
    }

    /// Ends the connection for both ends.
    func close() {
        outgoing.finish()
        incomingEnd.finish()
    }
}
