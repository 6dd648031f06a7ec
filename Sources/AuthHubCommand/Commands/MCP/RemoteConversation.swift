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
    let url: String
    let access: RemoteAccess
    let console: Console
    let reply: @Sendable ([UInt8]) -> Void

    /// The `initialize` request, which starts a new session if the server no longer knows this one.
    private var initialization: RemoteMessage?
    private(set) var session: String?
    /// The revision that was negotiated by `initialize`; nil if the host sends none.
    var revision: String?
    var parameters = ToolParameters()
    /// The responses to the tool's own requests, by their IDs as JSON.
    var ownResponses: [[UInt8]: [UInt8]] = [:]
    /// The requests that wait for a response, by their IDs as JSON.
    private var waiting: [[UInt8]: (work: Task<Void, Never>, method: String?)] = [:]
    /// The messages that all later ones wait for.
    private var handshake: Task<Void, Never>?
    var listening: Task<Void, Never>?
    /// The end of the requests that are left when the host sends nothing more.
    private var ending: Task<Void, Never>?
    /// The start of a new session after the server has ended one.
    private var restart: Task<Result<Void, Failure>, Never>?

    private static let signInLimit = 2
    /// The maximum time that messages wait for the server to accept the notification after `initialize`.
    private static let handshakeLimit = Duration.seconds(5)
    /// A response may take as long as the server needs. Messages without a response are only accepted.
    private static let responseTimeout = Duration.seconds(24 * 3600)
    private static let acceptanceTimeout = Duration.seconds(60)
    private static let endingLimit = Duration.seconds(300)

    /// - Parameter reply: Writes a message to the host.
    init(at url: String, by access: RemoteAccess, _ console: Console, reply: @escaping @Sendable ([UInt8]) -> Void) {
        (self.url, self.access, self.console, self.reply) = (url, access, console, reply)
    }

    /// Starts to forward a message. Messages must be passed in the order in which the host writes them.
    ///
    /// - Returns: The work, which ends when the response has been forwarded, or when the request was cancelled.
    func start(_ message: RemoteMessage) -> Task<Void, Never> {
        if let cancelled = cancelledRequest(message) {
            waiting[cancelled]?.work.cancel()
            return Task {}
        }
        let key = message.id?.serialized()
        let work = Task { [handshake] in
            await handshake?.value
            await self.exchange(message)
            if let key { self.waiting[key] = nil }
        }
        if let key { waiting[key] = (work, message.method) }
        switch message.method {
        case "initialize": handshake = work
        case "notifications/initialized": handshake = Self.limited(work)
        default: break
        }
        return work
    }

    /// Cancels the requests that wait for a response.
    func cancel() {
        for entry in waiting.values { entry.work.cancel() }
    }

    /// Notes that the host sends nothing more: its subscriptions end, and responses have a limited time left.
    func endInput() {
        for entry in waiting.values where entry.method == "subscriptions/listen" { entry.work.cancel() }
        ending = Task {
            guard (try? await Task.sleep(for: Self.endingLimit)) != nil else { return }
            self.cancel()
        }
    }

    /// Ends the session at the server, and the stream of notifications.
    func close() async {
        listening?.cancel()
        ending?.cancel()
        guard session != nil, let (account, _) = try? await access.current() else { return }
        if var request = try? LoadRequest(HTTPRequest.Method.delete, url, headers: sessionFields) {
            request.options[AttemptTimeout.self] = .seconds(2)
            request.options[RedirectScope.self] = .sameOrigin
            (try? await account.session.load(request))?.body.cancel()
        }
    }

    /// Returns a task that ends with the work, or when the limit is over. The work itself goes on.
    private static func limited(_ work: Task<Void, Never>) -> Task<Void, Never> {
        let (end, continuation) = AsyncStream.makeStream(of: Void.self)
        let limit = Task {
            try? await Task.sleep(for: handshakeLimit)
            continuation.finish()
        }
        Task {
            await work.value
            limit.cancel()
        }
        return Task { for await _ in end {} }
    }
}

// MARK: - Requests

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
            if !message.isOwn, message.revision == nil, message.method != "initialize" { try await newSession() }
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
            if !response.rejectsToken { await access.accepted() }
            if response.status == .notFound, let usedSession, !message.isOwn, message.method != "initialize", !hasRestarted {
                response.body.cancel()
                hasRestarted = true
                startNewSession(after: usedSession)
                continue
            }
            if !hasListedTools, message.method == "tools/call", response.status == .badRequest, message.revision != nil {
                let body = try await body(of: response, account)
                guard Self.isHeaderMismatch(body) else { return try answer(message, status: response.status, body) }
                hasListedTools = true
                try await listTools(for: message)
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
        var fields: HTTPFields = [:]
        if let revision = message.revision {
            fields.set(RemoteHeaders.revision, to: revision)
            for (name, value) in RemoteHeaders.fields(for: message, parameters) { fields.set(HTTPField.Name(name), to: value) }
        } else if message.method != "initialize" {
            fields = sessionFields
        }
        fields[.contentType] = "application/json"
        fields[.accept] = "application/json, text/event-stream"
        var request = try LoadRequest.post(url, headers: fields, body: .bytes(message.bytes))
        request.options[AttemptTimeout.self] = message.id == nil ? Self.acceptanceTimeout : Self.responseTimeout
        request.options[RedirectScope.self] = .sameOrigin
        return request
    }

    /// The fields of all requests in a session (before 2026-07-28).
    var sessionFields: HTTPFields {
        var fields: HTTPFields = [:]
        fields.set(RemoteHeaders.session, to: session)
        fields.set(RemoteHeaders.revision, to: revision)
        return fields
    }

    /// Requests the tools until the called one is listed, whose parameters the header fields have to repeat.
    private func listTools(for call: RemoteMessage) async throws(Failure) {
        var meta = call.parameters?["_meta"]?.object ?? JSONObject()
        meta["progressToken"] = nil
        var list: JSONValue = ["_meta": .object(meta)]
        for _ in 0..<Self.pageLimit {
            let message = RemoteMessage(request: "tools/list", parameters: list)
            try await send(message)
            let response = message.id.flatMap { ownResponses.removeValue(forKey: $0.serialized()) }.flatMap { try? JSONValue(strict: $0) }
            let tools = response?["result"]?["tools"]?.array ?? []
            guard !tools.contains(where: { $0["name"] == call.parameters?["name"] }), let cursor = response?["result"]?["nextCursor"] else {
                return
            }
            list = ["_meta": .object(meta), "cursor": cursor]
        }
    }

    private static let pageLimit = 100
}

// MARK: - Sessions

extension RemoteConversation {
    /// Notes the session that a response to `initialize` starts.
    func note(_ response: LoadResponse, of message: RemoteMessage) {
        if !message.isOwn { initialization = message }
        let named = RemoteHeaders.session.flatMap { response.head.headerFields[$0] }
        session = named.flatMap { !$0.isEmpty && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? $0 : nil }
    }

    /// Starts a new session, because the server no longer knows the old one. Concurrent messages share it.
    private func startNewSession(after old: String) {
        guard session == old, restart == nil, let initialization else { return }
        restart = Task { await self.initialize(like: initialization) }
    }

    /// Waits for the new session that is being started, if there is one. If it cannot be started, the next message tries again.
    private func newSession() async throws(Failure) {
        guard let restart else { return }
        let outcome = await restart.value
        if self.restart == restart { self.restart = nil }
        try outcome.get()
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
}
