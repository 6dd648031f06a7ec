import AuthHub
import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import OAuthProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The messages between a host that speaks over standard streams and a server that speaks over HTTP (MCP, Streamable HTTP).
actor RemoteConversation {
    private let url: String
    private let access: RemoteAccess
    private let console: Console
    private let reply: @Sendable ([UInt8]) -> Void

    /// The `initialize` request, which starts a new session if the server no longer knows this one.
    private var initialization: RemoteMessage?
    private var session: String?
    /// The revision that was negotiated by `initialize`; nil if the host sends none.
    private var revision: String?
    private var parameters = ToolParameters()
    /// The requests that wait for a response, by their IDs as JSON.
    private var waiting: [[UInt8]: (work: Task<Void, Never>, method: String?)] = [:]
    private var listening: Task<Void, Never>?
    /// The start of a new session after the server has ended one.
    private var restart: Task<Result<Void, Failure>, Never>?

    private static let signInLimit = 2
    private static let resumptionLimit = 5
    private static let bodyLimit = 64 * 1024 * 1024

    /// - Parameter reply: Writes a message to the host.
    init(at url: String, by access: RemoteAccess, _ console: Console, reply: @escaping @Sendable ([UInt8]) -> Void) {
        (self.url, self.access, self.console, self.reply) = (url, access, console, reply)
    }

    /// Forwards a message. Returns when the response has been forwarded, or the request was cancelled.
    func pass(_ message: RemoteMessage) async {
        if let cancelled = cancelledRequest(message) {
            waiting[cancelled]?.work.cancel()
            return
        }
        let work = Task { await self.exchange(message) }
        let key = message.id?.serialized()
        if let key { waiting[key] = (work, message.method) }
        await withTaskCancellationHandler {
            await work.value
        } onCancel: {
            work.cancel()
        }
        if let key { waiting[key] = nil }
    }

    /// Ends the session at the server, and the stream of notifications.
    func close() async {
        listening?.cancel()
        guard let session, let (account, _) = try? await access.current() else { return }
        var fields: HTTPFields = [:]
        fields.set(RemoteHeaders.session, to: session)
        if var request = try? LoadRequest(HTTPRequest.Method.delete, url, headers: fields) {
            request.options[AttemptTimeout.self] = .seconds(2)
            (try? await account.session.load(request))?.body.cancel()
        }
    }

    /// Cancels the host's subscriptions, which never end by themselves.
    func endSubscriptions() {
        for entry in waiting.values where entry.method == "subscriptions/listen" { entry.work.cancel() }
    }
}

extension RemoteConversation {
    /// Returns the ID of the request that a notification cancels; nil if the message has to be forwarded.
    ///
    /// Since 2026-07-28, closing the stream cancels the request, so the notification is not sent.
    private func cancelledRequest(_ message: RemoteMessage) -> [UInt8]? {
        guard message.method == "notifications/cancelled", revision == nil else { return nil }
        return message.parameters?["requestId"]?.serialized()
    }

    private func exchange(_ message: RemoteMessage) async {
        do throws(Failure) {
            try await send(message)
            if message.method == "notifications/initialized" { listen() }
        } catch {
            guard !Task.isCancelled else { return }
            if let failure = message.failure("\(error.message); next: \(error.hint)") { reply(failure) } else { console.report(error) }
        }
    }

    /// Sends a message until the server accepts it, and forwards the response.
    private func send(_ message: RemoteMessage) async throws(Failure) {
        var (signIns, hasRestarted, hasListedTools) = (0, false, false)
        while true {
            let (account, number) = try await account(signIns: &signIns)
            let usedSession = session
            let response: LoadResponse
            do throws(LoadError) {
                response = try await account.session.load(try request(message))
            } catch {
                let failure = await account.failure(error)
                guard failure.exit == .signInNeeded, signIns < Self.signInLimit else { throw failure }
                signIns += 1
                try await access.signIn(nil, after: number)
                continue
            }
            if response.rejectsToken, signIns < Self.signInLimit {
                response.body.cancel()
                signIns += 1
                let isStepUp = response.stepUpRequirement != nil
                try await access.signIn(
                    response.challenges, at: isStepUp ? account.settings.resource?.text : nil, after: number)
                continue
            }
            if response.status == .notFound, let usedSession, !message.isOwn, message.method != "initialize", !hasRestarted {
                response.body.cancel()
                hasRestarted = true
                try await startNewSession(after: usedSession)
                continue
            }
            if !hasListedTools, message.method == "tools/call", response.status == .badRequest, let revision = message.revision {
                let body = try await body(of: response, account)
                guard Self.isHeaderMismatch(body) else { return try answer(message, status: response.status, body) }
                hasListedTools = true
                try await listTools(revision)
                continue
            }
            return try await accept(response, to: message, account)
        }
    }

    private func account(signIns: inout Int) async throws(Failure) -> (account: SignedInAccount, number: Int) {
        while true {
            do throws(Failure) {
                return try await access.current()
            } catch {
                guard error.exit == .signInNeeded, signIns < Self.signInLimit else { throw error }
                signIns += 1
                try await access.signIn(nil, after: await access.number)
            }
        }
    }

    private func request(_ message: RemoteMessage) throws(LoadError) -> LoadRequest {
        var fields: HTTPFields = [.contentType: "application/json", .accept: "application/json, text/event-stream"]
        if let revision = message.revision {
            fields.set(RemoteHeaders.revision, to: revision)
            for (name, value) in RemoteHeaders.fields(for: message, parameters) { fields.set(HTTPField.Name(name), to: value) }
        } else if message.method != "initialize" {
            fields.set(RemoteHeaders.session, to: session)
            fields.set(RemoteHeaders.revision, to: revision)
        }
        var request = try LoadRequest.post(url, headers: fields, body: .bytes(message.bytes))
        // A response may take as long as the server needs.
        request.options[AttemptTimeout.self] = Self.responseTimeout
        return request
    }

    private static let responseTimeout = Duration.seconds(24 * 3600)

    /// Starts a new session, because the server no longer knows the old one. Concurrent messages share it.
    private func startNewSession(after old: String) async throws(Failure) {
        if session == old, let initialization {
            session = nil
            restart = Task { await self.initialize(like: initialization) }
        }
        try await restart?.value.get()
    }

    private func initialize(like first: RemoteMessage) async -> Result<Void, Failure> {
        do throws(Failure) {
            try await send(RemoteMessage(request: "initialize", parameters: first.parameters ?? [:]))
            try await send(RemoteMessage(notification: "notifications/initialized"))
            listen()
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    private func listTools(_ revision: String) async throws(Failure) {
        let meta: JSONValue = ["_meta": ["io.modelcontextprotocol/protocolVersion": .string(revision)]]
        try await send(RemoteMessage(request: "tools/list", parameters: meta))
    }
}

// MARK: - Responses

extension RemoteConversation {
    private func accept(_ response: LoadResponse, to message: RemoteMessage, _ account: SignedInAccount) async throws(Failure) {
        if message.method == "initialize", message.revision == nil { note(response, of: message) }
        guard response.status.kind == .successful, response.head.headerFields.mediaType == "text/event-stream" else {
            return try answer(message, status: response.status, try await body(of: response, account))
        }
        try await follow(response, until: message, account)
    }

    private func body(of response: LoadResponse, _ account: SignedInAccount) async throws(Failure) -> [UInt8] {
        do throws(LoadError) {
            return try await response.body.collect(upTo: Self.bodyLimit)
        } catch {
            throw await account.failure(error)
        }
    }

    /// Forwards a response that is a single message.
    private func answer(_ message: RemoteMessage, status: HTTPResponse.Status, _ body: [UInt8]) throws(Failure) {
        guard let id = message.id else {
            guard status.kind == .successful else { throw Self.refusal(status) }
            return
        }
        guard var answer = (try? JSONValue(strict: body))?.object, answer["result"] != nil || answer["error"] != nil else {
            throw status.kind == .successful
                ? Failure(
                    "server_misbehaved", .failed, "the server's response is not a JSON-RPC message",
                    hint: "report this to the server's operator")
                : Self.refusal(status)
        }
        // An error about the whole request has no ID.
        guard answer["id"] == id || answer["error"] != nil else {
            throw Failure(
                "server_misbehaved", .failed, "the server returned the response to another request",
                hint: "report this to the server's operator")
        }
        guard answer["id"] == id else {
            answer["id"] = id
            return deliver(JSONValue.object(answer).serialized(), to: message)
        }
        deliver(body, to: message)
    }

    private static func refusal(_ status: HTTPResponse.Status) -> Failure {
        Failure(
            "http_\(status.code)", .failed, "the server responded \(status.code) \(status.reasonPhrase)",
            hint: "authhub request shows the whole response")
    }

    private static func isHeaderMismatch(_ body: [UInt8]) -> Bool {
        (try? JSONValue(strict: body))?["error"]?["code"]?.number?.int64 == RemoteMessage.headerMismatch
    }

    /// Forwards a response, unless the tool itself sent the request.
    private func deliver(_ bytes: [UInt8], to message: RemoteMessage) {
        var bytes = bytes
        if message.method == "initialize", message.revision == nil,
            let agreed = (try? JSONValue(strict: bytes))?["result"]?["protocolVersion"]?.string
        {
            revision = agreed
        }
        if message.method == "tools/list", message.revision != nil, let changed = parameters.accept(bytes) {
            for name in changed.rejected {
                console.warn("the tool \(displayable(name, limit: 100)) is left out: the header fields that it requires cannot be sent")
            }
            bytes = changed.response
        }
        if !message.isOwn { reply(bytes) }
    }

    private func note(_ response: LoadResponse, of message: RemoteMessage) {
        if !message.isOwn { initialization = message }
        let named = RemoteHeaders.session.flatMap { response.head.headerFields[$0] }
        session = named.flatMap { !$0.isEmpty && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? $0 : nil }
    }
}

// MARK: - Streams

extension RemoteConversation {
    /// Forwards the messages of a stream up to the response. If the stream breaks and the server supports it, resumes the stream.
    private func follow(_ response: LoadResponse, until message: RemoteMessage, _ account: SignedInAccount) async throws(Failure) {
        var (response, stream, attempts) = (response, EventStream(), 0)
        while true {
            let outcome = await read(response, by: &stream, answering: message)
            switch outcome {
            case .success(true): return
            case .success(false) where message.id == nil: return
            case .success, .failure:
                if Task.isCancelled { return }
                guard message.revision == nil, let last = stream.lastEventID, attempts < Self.resumptionLimit else {
                    if case .failure(let error) = outcome { throw await account.failure(error) }
                    throw Failure(
                        "unreachable", .unreachable, "the connection ended before the server's response", hint: "run the request again")
                }
                attempts += 1
                guard let next = await continued(from: last, after: stream.retry) else {
                    throw Failure(
                        "unreachable", .unreachable, "the connection ended before the server's response, and the stream cannot be resumed",
                        hint: "run the request again")
                }
                response = next
            }
        }
    }

    /// - Returns: Whether the response has arrived.
    private func read(
        _ response: LoadResponse, by stream: inout EventStream, answering message: RemoteMessage?
    ) async -> Result<Bool, LoadError> {
        var iterator = response.body.makeAsyncIterator()
        do throws(LoadError) {
            while let bytes = try await iterator.next() {
                guard let events = try? stream.accept(bytes) else {
                    response.body.cancel()
                    return .success(false)
                }
                for event in events {
                    guard let members = (try? JSONValue(strict: event))?.object else { continue }
                    if let message, let id = message.id, members["method"] == nil, members["id"] == id {
                        deliver(event, to: message)
                        response.body.cancel()
                        return .success(true)
                    }
                    reply(event)
                }
            }
            return .success(false)
        } catch {
            return .failure(error)
        }
    }

    /// Waits before a stream is resumed.
    ///
    /// - Parameter retry: What the server says, in milliseconds; nil if it does not.
    private static func pause(_ retry: Int?) async {
        try? await Task.sleep(for: .milliseconds(min(retry ?? 1000, 60_000)))
    }

    private func continued(from event: String, after retry: Int?) async -> LoadResponse? {
        await Self.pause(retry)
        guard !Task.isCancelled else { return nil }
        return await opened(from: event)
    }

    private func opened(from event: String?) async -> LoadResponse? {
        guard let (account, _) = try? await access.current() else { return nil }
        var fields: HTTPFields = [.accept: "text/event-stream"]
        fields.set(RemoteHeaders.session, to: session)
        fields.set(RemoteHeaders.revision, to: revision)
        if let event, HTTPField.isValidValue(event) { fields.set(RemoteHeaders.lastEvent, to: event) }
        guard var request = try? LoadRequest.get(url, headers: fields) else { return nil }
        request.options[AttemptTimeout.self] = Self.responseTimeout
        guard let response = try? await account.session.load(request) else { return nil }
        guard response.status == .ok else {
            response.body.cancel()
            return nil
        }
        return response
    }

    /// Opens the stream of messages that do not belong to a request, which servers may offer in revisions before 2026-07-28.
    private func listen() {
        listening?.cancel()
        listening = Task {
            var stream = EventStream()
            while !Task.isCancelled, let response = await self.opened(from: stream.lastEventID) {
                stream = await self.listened(response, stream)
                await Self.pause(stream.retry)
            }
        }
    }

    private func listened(_ response: LoadResponse, _ stream: EventStream) async -> EventStream {
        var stream = stream
        _ = await read(response, by: &stream, answering: nil)
        return stream
    }
}
