import AuthHub
import AuthHubPrimitives
import CredentialStorage
import HTTPLoading
import HTTPTypes
import Platform

extension RemoteConversation {
    /// The result of an attempt to open a stream of the server's messages.
    private enum Opening {
        case opened(LoadResponse)
        /// The server or the network has a problem that may pass.
        case failed
        /// The server offers no such stream, or no longer knows the session or the event.
        case rejected
    }

    /// The result of reading a stream.
    private enum Reading {
        /// The awaited response has arrived.
        case complete
        /// The stream has ended, because of an error if there is one.
        case ended(LoadError?)
        case tooLarge
    }

    /// What was read from a stream so far.
    private struct Progress {
        var hasMessages = false
        /// Whether something is not JSON.
        var isUnreadable = false
    }

    /// The maximum number of attempts to resume a stream that bring nothing new.
    private static let resumptionLimit = 5
    private static let streamTimeout = Duration.seconds(24 * 3600)
    private static let usualPause = 1_000
    private static let pauses = 10...60_000

    /// Forwards the messages of a stream up to the response. If the stream ends early and the server supports it, resumes the stream.
    func follow(_ response: LoadResponse, until message: RemoteMessage, _ sender: ResourceSender) async throws(Failure) {
        var (response, stream, attempts, emptyStreams) = (Optional(response), EventStream(), 0, 0)
        while true {
            let before = stream.lastEventID
            var (reading, progress) = (Reading.ended(nil), Progress())
            if let response { reading = await read(response, by: &stream, answering: message, &progress) }
            if case .complete = reading { return }
            if Task.isCancelled { return }
            if case .tooLarge = reading { throw Self.tooLarge }
            // The response may be what could not be read, so the message must not be sent again.
            guard !progress.isUnreadable else {
                throw Failure(
                    "server_misbehaved", .failed, "the server sent a message that is not JSON, and no response after it",
                    hint: "report this to the server's operator")
            }
            guard message.revision == nil, let last = stream.lastEventID, attempts < Self.resumptionLimit else {
                if case .ended(let error?) = reading { throw await sender.failure(error) }
                throw Self.ended("the connection ended before the server's response")
            }
            // A server that names a pause closes the stream on purpose.
            let isExpected = response != nil && stream.retry != nil
            attempts = last == before && !isExpected ? attempts + 1 : 1
            emptyStreams = progress.hasMessages ? 0 : emptyStreams + 1
            stream.reconnect()
            await Self.pause(stream.retry, after: attempts, emptyStreams: emptyStreams)
            guard !Task.isCancelled else { return }
            switch await opening(from: last) {
            case .opened(let next): response = next
            case .failed: response = nil
            case .rejected:
                throw Self.ended("the connection ended before the server's response, and the stream cannot be resumed")
            }
        }
    }

    private static func ended(_ message: String) -> Failure {
        Failure("unreachable", .unreachable, message, hint: "the server may have done what was asked; if not, send the message again")
    }

    private func read(
        _ response: LoadResponse, by stream: inout EventStream, answering message: RemoteMessage?, _ progress: inout Progress
    ) async -> Reading {
        var (iterator, turn) = (response.body.makeAsyncIterator(), Turns<Bool>.Turn?.none)
        defer { turn?.end() }
        do throws(LoadError) {
            while let bytes = try await iterator.next() {
                if turn == nil { turn = await turnIfLarge(stream.pendingSize + bytes.count) }
                guard let events = try? stream.accept(bytes) else {
                    response.body.cancel()
                    return .tooLarge
                }
                for event in events {
                    guard let messages = ServerMessage.messages(in: event) else {
                        progress.isUnreadable = true
                        continue
                    }
                    progress.hasMessages = true
                    // Bytes may arrive after the host has cancelled the request.
                    guard !Task.isCancelled else {
                        response.body.cancel()
                        return .ended(nil)
                    }
                    var answer: [UInt8]?
                    for one in messages {
                        if let id = message?.id, let bytes = one.bytes(answering: id) {
                            answer = answer ?? bytes
                        } else if !one.isResponse {
                            // The response to another request belongs in that request's stream.
                            reply(Array(one.text.bytes))
                        }
                    }
                    if let message, let answer {
                        deliver(answer, to: message)
                        response.body.cancel()
                        return .complete
                    }
                }
                if !events.isEmpty {
                    turn?.end()
                    turn = nil
                }
            }
            return .ended(nil)
        } catch {
            return .ended(error)
        }
    }

    /// Waits before a stream is opened again.
    private static func pause(_ retry: Int?, after attempts: Int, emptyStreams: Int) async {
        try? await Task.sleep(for: .milliseconds(delay(retry, after: attempts, emptyStreams: emptyStreams)))
    }

    /// Returns the pause before a stream is opened again, in milliseconds.
    ///
    /// - Parameters:
    ///   - retry: The pause that the server asks for, in milliseconds; nil if it does not.
    ///   - attempts: The number of attempts that brought nothing new, each of which doubles the pause.
    ///   - emptyStreams: The number of streams in a row without an event, even if the server closed them on purpose. They lengthen a pause
    ///     of less than a second.
    static func delay(_ retry: Int?, after attempts: Int, emptyStreams: Int = 0) -> Int {
        let first = min(max(retry ?? usualPause, pauses.lowerBound), pauses.upperBound)
        let least = min(pauses.lowerBound << min(max(emptyStreams - 1, 0), 7), usualPause)
        return max(min(first << min(max(attempts - 1, 0), 6), pauses.upperBound), least)
    }

    private func opening(from event: String?) async -> Opening {
        guard let (sender, _) = try? await access.sender() else { return .rejected }
        var fields = sessionFields
        fields[.accept] = "text/event-stream"
        if let event, HTTPField.isValidValue(event) { fields.set(RemoteHeaders.lastEvent, to: event) }
        guard var request = try? LoadRequest.get(url, headers: fields) else { return .rejected }
        request.options[AttemptTimeout.self] = Self.streamTimeout
        request.options[RedirectScope.self] = .sameOrigin
        guard let response = try? await sender.load(access.complete(request)) else { return .failed }
        if response.status == .ok, response.head.headerFields.mediaType == "text/event-stream" { return .opened(response) }
        response.body.cancel()
        let isPassing = response.status.kind == .serverError || [408, 429].contains(response.status.code)
        // A later message signs in again.
        return isPassing || response.rejectsToken ? .failed : .rejected
    }

    /// Opens the stream of messages that do not belong to a request, which servers may offer in revisions before 2026-07-28.
    func listen() {
        listening?.cancel()
        listening = Task {
            var (stream, attempts, emptyStreams) = (EventStream(), 0, 0)
            while !Task.isCancelled {
                switch await self.opening(from: stream.lastEventID) {
                case .opened(let response):
                    let before = stream.lastEventID
                    let hasMessages: Bool
                    (stream, hasMessages) = await self.listened(response, stream)
                    // Without IDs, messages show that the stream brings something new.
                    let isNew = stream.lastEventID != before || (hasMessages && stream.lastEventID == nil)
                    attempts = isNew || stream.retry != nil ? 1 : attempts + 1
                    emptyStreams = hasMessages ? 0 : emptyStreams + 1
                case .failed: attempts += 1
                case .rejected: return
                }
                stream.reconnect()
                await Self.pause(stream.retry, after: attempts, emptyStreams: emptyStreams)
            }
        }
    }

    private func listened(_ response: LoadResponse, _ stream: EventStream) async -> (EventStream, hasMessages: Bool) {
        var (stream, progress) = (stream, Progress())
        _ = await read(response, by: &stream, answering: nil, &progress)
        return (stream, progress.hasMessages)
    }
}
