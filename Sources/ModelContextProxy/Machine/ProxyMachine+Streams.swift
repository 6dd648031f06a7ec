import AuthHubPrimitives
import HTTPTypes

extension ProxyMachine {
    private static let streamTimeout = Duration.seconds(24 * 3600)

    /// Opens the stream of messages that do not belong to a request, which servers may offer in revisions before 2026-07-28.
    mutating func listen() {
        for number in numbers(where: { $0.isListening }) { end(number) }
        open(add(.notifications))
    }

    /// Opens a stream, or continues it after its last event.
    mutating func open(_ number: Int) {
        var fields = sessionFields
        fields[.accept] = "text/event-stream"
        if let id = exchanges[number]?.stream.events.lastEventID, HTTPField.isValidValue(id) { fields.set(RemoteHeaders.lastEvent, to: id) }
        send(number, .get, fields, timeout: Self.streamTimeout, phase: .opening)
    }

    mutating func opened(_ response: ServerResponse, _ number: Int) {
        guard response.status != .ok || !response.isEventStream else {
            exchanges[number]?.stream.open()
            return readMore(number, .readingStream)
        }
        close(number)
        // After a 401, a later message signs in again. The other problems may pass, too.
        if response.status.kind == .serverError || [408, 429].contains(response.status.code) || response.requirement != nil {
            streamEnded(number, nil)
        } else {
            fail(number, .ended("the connection ended before the server's response, and the stream cannot be resumed"))
        }
    }

    /// Passes on the messages of a stream up to the response.
    mutating func readStream(_ bytes: ArraySlice<UInt8>, _ number: Int) {
        guard let message = exchanges[number].map(\.message), let events = try? exchanges[number]?.stream.accept(bytes) else {
            close(number)
            guard exchanges[number]?.message == nil else { return fail(number, .tooLarge(limits.message)) }
            return streamEnded(number, nil)
        }
        for messages in events {
            var answer: [UInt8]?
            for one in messages {
                if let id = message?.id, let bytes = one.bytes(answering: id) {
                    answer = answer ?? bytes
                } else if !one.isResponse {
                    // The response to another request belongs in that request's stream.
                    effects.append(.write(Array(one.text.bytes)))
                }
            }
            if let answer { return deliver(answer, number) }
        }
        if !events.isEmpty { endTurn(number) }
        readMore(number, .readingStream)
    }

    /// Continues a stream that has ended early, after a pause. The stream of a response is continued only if the server supports it.
    mutating func streamEnded(_ number: Int, _ failure: ProxyFailure?) {
        guard let exchange = exchanges[number] else { return }
        if let message = exchange.message {
            guard !exchange.stream.isUnreadable else {
                return fail(number, .misbehaved("the server sent a message that is not JSON, and no response after it"))
            }
            guard message.revision == nil, exchange.stream.events.lastEventID != nil,
                exchange.stream.attempts < ResumableStream.resumptionLimit
            else { return fail(number, failure ?? .ended("the connection ended before the server's response")) }
        }
        set(.pause(number), after: exchanges[number]?.stream.end() ?? .zero)
    }
}
