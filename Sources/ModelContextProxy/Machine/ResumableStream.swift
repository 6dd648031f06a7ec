/// A stream of the server's messages, which may be continued on another connection.
struct ResumableStream: Sendable {
    private(set) var events: EventStream
    /// The number of attempts in a row that brought nothing new.
    private(set) var attempts = 0
    /// The number of connections in a row without a message.
    private var emptyConnections = 0

    /// Whether an event is not JSON. It may have been the response, so the message must not be sent again.
    private(set) var isUnreadable = false

    // The current connection:
    private var isOpen = false
    private var firstID: String?
    private var hasMessages = false

    /// The maximum number of attempts to resume a response that bring nothing new.
    static let resumptionLimit = 5
    private static let usualPause = 1_000
    private static let pauses = 10...60_000

    init(sizeLimit: Int) { events = EventStream(sizeLimit: sizeLimit) }

    /// Notes that the stream was opened without a message.
    mutating func open() { isOpen = true }

    /// Accepts the next bytes.
    ///
    /// - Returns: The messages of each event that is complete now.
    mutating func accept(_ bytes: ArraySlice<UInt8>) throws(EventStream.TooLarge) -> [[ServerMessage]] {
        try events.accept(bytes).map { event in
            guard let messages = ServerMessage.messages(in: event) else {
                isUnreadable = true
                return []
            }
            hasMessages = true
            return messages
        }
    }

    /// Ends the connection, or an attempt to open one.
    ///
    /// - Returns: The pause before the next one.
    mutating func end() -> Duration {
        // Without IDs, messages show that the stream brings something new.
        let isNew = events.lastEventID != firstID || (hasMessages && events.lastEventID == nil)
        // A server that names a pause closes the stream on purpose.
        let isExpected = isOpen && events.retry != nil
        attempts = isNew || isExpected ? 1 : attempts + 1
        emptyConnections = hasMessages ? 0 : emptyConnections + 1
        events.reconnect()
        (firstID, isOpen, hasMessages) = (events.lastEventID, false, false)
        return .milliseconds(Self.pause(events.retry, after: attempts, emptyConnections: emptyConnections))
    }

    /// Returns the pause before a stream is opened again, in milliseconds.
    ///
    /// - Parameters:
    ///   - retry: The pause that the server asks for, in milliseconds; nil if it does not.
    ///   - attempts: The number of attempts that brought nothing new, each of which doubles the pause.
    ///   - emptyConnections: The number of connections in a row without a message, even if the server closed them on purpose. They lengthen
    ///     a pause of less than a second.
    static func pause(_ retry: Int?, after attempts: Int, emptyConnections: Int = 0) -> Int {
        let first = min(max(retry ?? usualPause, pauses.lowerBound), pauses.upperBound)
        let least = min(pauses.lowerBound << min(max(emptyConnections - 1, 0), 7), usualPause)
        return max(min(first << min(max(attempts - 1, 0), 6), pauses.upperBound), least)
    }
}
