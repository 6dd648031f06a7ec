import AuthHub
import AuthHubPrimitives
import HTTPLoading
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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

    /// The maximum number of attempts to resume a stream that bring nothing new.
    private static let resumptionLimit = 5
    private static let streamTimeout = Duration.seconds(24 * 3600)
    private static let pauses = 1_000...60_000

    /// Forwards the messages of a stream up to the response. If the stream ends early and the server supports it, resumes the stream.
    func follow(_ response: LoadResponse, until message: RemoteMessage, _ account: SignedInAccount) async throws(Failure) {
        var (response, stream, attempts) = (Optional(response), EventStream(), 0)
        while true {
            let before = stream.lastEventID
            var reading = Reading.ended(nil)
            if let response { reading = await read(response, by: &stream, answering: message) }
            if case .complete = reading { return }
            if Task.isCancelled { return }
            if case .tooLarge = reading {
                throw Failure(
                    "server_misbehaved", .failed, "the server sent a message of more than \(EventStream.usualSizeLimit / 1_048_576) MiB",
                    hint: "request less")
            }
            guard message.revision == nil, let last = stream.lastEventID, attempts < Self.resumptionLimit else {
                if case .ended(let error?) = reading { throw await account.failure(error) }
                throw Failure(
                    "unreachable", .unreachable, "the connection ended before the server's response", hint: "send the message again")
            }
            attempts = last == before ? attempts + 1 : 1
            stream.reconnect()
            await Self.pause(stream.retry, after: attempts)
            guard !Task.isCancelled else { return }
            switch await opening(from: last) {
            case .opened(let next): response = next
            case .failed: response = nil
            case .rejected:
                throw Failure(
                    "unreachable", .unreachable,
                    "the connection ended before the server's response, and the stream cannot be resumed", hint: "send the message again")
            }
        }
    }

    private func read(
        _ response: LoadResponse, by stream: inout EventStream, answering message: RemoteMessage?
    ) async -> Reading {
        var iterator = response.body.makeAsyncIterator()
        do throws(LoadError) {
            while let bytes = try await iterator.next() {
                guard let events = try? stream.accept(bytes) else {
                    response.body.cancel()
                    return .tooLarge
                }
                for event in events {
                    guard let members = (try? JSONValue(strict: event))?.object else { continue }
                    if let message, let id = message.id, members["method"] == nil, members["id"] == id {
                        deliver(event, to: message)
                        response.body.cancel()
                        return .complete
                    }
                    reply(event)
                }
            }
            return .ended(nil)
        } catch {
            return .ended(error)
        }
    }

    /// Waits before a stream is opened again.
    ///
    /// - Parameters:
    ///   - retry: The pause that the server asks for, in milliseconds; nil if it does not.
    ///   - attempts: The number of attempts that brought nothing new, each of which doubles the pause.
    private static func pause(_ retry: Int?, after attempts: Int) async {
        let first = min(max(retry ?? 0, pauses.lowerBound), pauses.upperBound)
        try? await Task.sleep(for: .milliseconds(min(first << min(max(attempts - 1, 0), 6), pauses.upperBound)))
    }

    private func opening(from event: String?) async -> Opening {
        guard let (account, _) = try? await access.current() else { return .rejected }
        var fields = sessionFields
        fields[.accept] = "text/event-stream"
        if let event, HTTPField.isValidValue(event) { fields.set(RemoteHeaders.lastEvent, to: event) }
        guard var request = try? LoadRequest.get(url, headers: fields) else { return .rejected }
        request.options[AttemptTimeout.self] = Self.streamTimeout
        request.options[RedirectScope.self] = .sameOrigin
        guard let response = try? await account.session.load(request) else { return .failed }
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
            var (stream, attempts) = (EventStream(), 0)
            while !Task.isCancelled {
                switch await self.opening(from: stream.lastEventID) {
                case .opened(let response):
                    let before = stream.lastEventID
                    stream = await self.listened(response, stream)
                    attempts = stream.lastEventID == before ? attempts + 1 : 1
                case .failed: attempts += 1
                case .rejected: return
                }
                stream.reconnect()
                await Self.pause(stream.retry, after: attempts)
            }
        }
    }

    private func listened(_ response: LoadResponse, _ stream: EventStream) async -> EventStream {
        var stream = stream
        _ = await read(response, by: &stream, answering: nil)
        return stream
    }
}
