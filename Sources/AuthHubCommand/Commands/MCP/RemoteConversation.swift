import AuthHub
import AuthHubPrimitives
import CredentialStorage
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Platform

/// The messages between a host that speaks over standard streams and a server that speaks over HTTP (MCP, Streamable HTTP).
actor RemoteConversation {
    let url: String
    let access: RemoteAccess
    let console: Console
    let reply: @Sendable ([UInt8]) -> Void

    /// The `initialize` request, which starts a new session if the server no longer knows this one.
    private var initialization: RemoteMessage?
    private(set) var session: String?
    /// The session that the server's response to the tool's own `initialize` names.
    var offeredSession: String?
    /// The revision that was negotiated by `initialize`; nil if the host sends none.
    var revision: String?
    var parameters = ToolParameters()
    /// The responses to the tool's own requests.
    var ownResponses: [MessageID: MessageText] = [:]
    /// The session in which the server has accepted a message.
    private var workingSession: String?
    /// Whether the server has ever answered a message.
    var hasAnswered = false
    /// One large message at a time is held in memory.
    let largeMessages = Turns<Bool>()
    /// The work on messages of the host, by numbers.
    private var works: [Int: Work] = [:]
    private var lastNumber = 0
    /// Whether nothing more is sent, except for the end of the session.
    private var hasEnded = false
    /// The messages that all later ones wait for.
    private var handshake: Task<Void, Never>?
    var listening: Task<Void, Never>?
    /// The end of the requests that are left some time after the end of standard input.
    private var ending: Task<Void, Never>?
    /// The start of a new session after the server has ended one.
    private var restart: Task<Result<Void, Failure>, Never>?

    private struct Work {
        let task: Task<Void, Never>
        let message: RemoteMessage
        /// Whether the server may have accepted the message.
        var isSent = false
    }

    /// The maximum time that messages wait for the server to accept the notification after `initialize`.
    private static let handshakeLimit = Duration.seconds(5)
    /// A response to the host may take as long as the server needs.
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
        if message.method == "notifications/cancelled", let id = MessageID(message.parameters?["requestId"]), cancel(id) { return Task {} }
        lastNumber += 1
        let number = lastNumber
        let work = Task { [handshake] in
            await handshake?.value
            await self.exchange(message, number)
            self.works[number] = nil
        }
        works[number] = Work(task: work, message: message)
        if hasEnded { work.cancel() }
        switch message.method {
        case "initialize": handshake = work
        case "notifications/initialized": handshake = Self.limited(work)
        default: break
        }
        return work
    }

    /// Cancels everything that is in progress, and all messages that are still passed.
    func cancel() {
        hasEnded = true
        for work in works.values { work.task.cancel() }
        restart?.cancel()
    }

    /// Notes that standard input has ended: subscriptions end, and responses have a limited time left.
    func endInput() {
        for work in works.values where work.message.method == "subscriptions/listen" { work.task.cancel() }
        ending = Task {
            guard (try? await Task.sleep(for: Self.endingLimit)) != nil else { return }
            self.cancel()
        }
    }

    /// Ends the session at the server, even if the present task was cancelled, and the stream of notifications.
    func close() async {
        listening?.cancel()
        ending?.cancel()
        await Task { await self.endSession() }.value
    }

    private func endSession() async {
        guard session != nil, let (sender, _) = try? await access.sender(),
            var request = try? LoadRequest(HTTPRequest.Method.delete, url, headers: sessionFields)
        else { return }
        request.options[AttemptTimeout.self] = .seconds(2)
        request.options[RedirectScope.self] = .sameOrigin
        (try? await sender.load(access.complete(request)))?.body.cancel()
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
    /// Cancels a request.
    ///
    /// - Returns: Whether the host's notification is done with. Otherwise, it has to be forwarded: before 2026-07-28, the end of a
    ///   connection does not cancel a request.
    private func cancel(_ id: MessageID) -> Bool {
        guard let work = works.values.first(where: { $0.message.id == id }) else { return revision == nil }
        work.task.cancel()
        return revision == nil || !work.isSent
    }

    private func exchange(_ message: RemoteMessage, _ number: Int) async {
        do throws(Failure) {
            try await send(message, number)
            if message.method == "notifications/initialized" { listen() }
        } catch {
            guard !Task.isCancelled else { return }
            if let failure = message.failure("\(error.message); next: \(error.hint)") { reply(failure) } else { console.report(error) }
        }
    }

    /// Sends a message until the server accepts it, and forwards the response.
    ///
    /// - Parameter number: The number of the work; nil for the tool's own messages.
    private func send(_ message: RemoteMessage, _ number: Int? = nil) async throws(Failure) {
        var (signIns, hasRestarted, hasListedTools) = (0, false, false)
        while true {
            let (sender, accountNumber) = try await access.sender()
            if !message.isOwn, message.revision == nil, message.method != "initialize" { try await newSession() }
            guard !Task.isCancelled else { throw .interrupted }
            let usedSession = session
            let response: LoadResponse
            if let number { works[number]?.isSent = true }
            do throws(LoadError) {
                response = try await sender.load(access.complete(try request(message)))
            } catch {
                throw await sender.failure(error)
            }
            if response.rejectsToken, access.usesAccount, AccessPolicy.allowsRepeating(after: signIns),
                let requirement = AccessRequirement(response.head)
            {
                if let number { works[number]?.isSent = false }
                response.body.cancel()
                signIns += 1
                try await access.signIn(after: response, requiring: requirement, sentWith: accountNumber)
                continue
            }
            if !response.rejectsToken { await access.accepted() }
            // Servers say that they no longer know a session in either way.
            let isInSession = usedSession != nil && !message.isOwn && message.method != "initialize"
            var hasLostSession = response.status == .notFound && isInSession
            guard response.status == .badRequest else {
                if hasLostSession, !hasRestarted {
                    response.body.cancel()
                    hasRestarted = true
                    restart(usedSession, for: number)
                    continue
                }
                if response.status.kind == .successful, isInSession { workingSession = usedSession }
                return try await accept(response, to: message, sender)
            }
            let body = try await body(of: response, sender)
            if !hasListedTools, message.method == "tools/call", message.revision != nil, Self.isHeaderMismatch(body) {
                hasListedTools = true
                try await listTools(for: message)
                continue
            }
            let answers = ServerMessage.messages(in: body) ?? []
            hasLostSession = isInSession && usedSession == workingSession && !answers.contains { $0.id != nil && $0.id == message.id }
            guard hasLostSession, !hasRestarted else { return try await answer(message, status: response.status, body, sender) }
            hasRestarted = true
            restart(usedSession, for: number)
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
        request.options[AttemptTimeout.self] = message.id == nil || message.isOwn ? Self.acceptanceTimeout : Self.responseTimeout
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
        var meta = call.parameters?["_meta"]?.value?.object ?? JSONObject()
        meta["progressToken"] = nil
        var list: JSONValue = ["_meta": .object(meta)]
        let name = call.parameters?["name"]?.string
        for _ in 0..<Self.pageLimit {
            let response = try await response(to: RemoteMessage(request: "tools/list", parameters: MessageText(list.serialized())))
            let tools = response?["result"]?["tools"]?.elements() ?? []
            guard !tools.contains(where: { $0["name"]?.string == name }), let cursor = response?["result"]?["nextCursor"]?.value else {
                return
            }
            list = ["_meta": .object(meta), "cursor": cursor]
        }
    }

    private static let pageLimit = 100

    /// Sends a request of the tool itself, and returns the response; nil if it is not JSON.
    private func response(to message: RemoteMessage) async throws(Failure) -> MessageText? {
        try await send(message)
        return message.id.flatMap { ownResponses.removeValue(forKey: $0) }
    }
}

// MARK: - Sessions

extension RemoteConversation {
    /// Notes the session that a response to `initialize` starts.
    func note(_ response: LoadResponse, of message: RemoteMessage) {
        let named = RemoteHeaders.session.flatMap { response.head.headerFields[$0] }
        offeredSession = named.flatMap { !$0.isEmpty && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? $0 : nil }
        // The tool keeps its session until the server has agreed to the new one.
        if !message.isOwn { (initialization, session) = (message, offeredSession) }
    }

    /// Starts a new session for a message, because the server no longer knows the old one. Concurrent messages share it.
    private func restart(_ old: String?, for number: Int?) {
        if let number { works[number]?.isSent = false }
        guard session == old, restart == nil, !hasEnded, let initialization else { return }
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
        let old = session
        do throws(Failure) {
            let response = try await response(to: RemoteMessage(request: "initialize", parameters: first.parameters))
            guard response?["result"] != nil else {
                throw Failure(
                    "server_misbehaved", .failed, "the server has ended the session, and does not start a new one", hint: "try again later")
            }
            session = offeredSession
            try await send(RemoteMessage(notification: "notifications/initialized"))
            listen()
            return .success(())
        } catch {
            session = old
            return .failure(error)
        }
    }
}
