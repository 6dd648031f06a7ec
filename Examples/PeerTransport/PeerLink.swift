/// One end of a connection between two peers: whole messages, in order, in both directions.
struct PeerLink: Sendable {
    /// The messages from the other end, for one reader; ends with the connection.
    let incoming: AsyncStream<[UInt8]>
    private let outgoing: AsyncStream<[UInt8]>.Continuation
    private let incomingEnd: AsyncStream<[UInt8]>.Continuation

    /// Creates both ends of a connection within this process.
    static func pair() -> (PeerLink, PeerLink) {
        let (toRight, leftOut) = AsyncStream<[UInt8]>.makeStream(bufferingPolicy: .bufferingOldest(1_000))
        let (toLeft, rightOut) = AsyncStream<[UInt8]>.makeStream(bufferingPolicy: .bufferingOldest(1_000))
        return (
            PeerLink(incoming: toLeft, outgoing: leftOut, incomingEnd: rightOut),
            PeerLink(incoming: toRight, outgoing: rightOut, incomingEnd: leftOut)
        )
    }

    /// Sends a message.
    ///
    /// - Returns: Whether the message was sent. False if the connection has ended, or the other end has a backlog of a thousand messages.
    func send(_ message: [UInt8]) -> Bool {
        if case .enqueued = outgoing.yield(message) { true } else { false }
    }

    /// Closes the connection for both ends.
    func close() {
        outgoing.finish()
        incomingEnd.finish()
    }
}
