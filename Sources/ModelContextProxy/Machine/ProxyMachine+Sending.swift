import AuthHubPrimitives
import HTTPTypes

// MARK: - Messages of the host

extension ProxyMachine {
    /// The maximum time that messages wait for the server to accept the notification after `initialize`.
    private static let handshakeLimit = Duration.seconds(5)
    /// A response to the host may take as long as the server needs.
    private static let responseTimeout = Duration.seconds(24 * 3600)
    private static let acceptanceTimeout = Duration.seconds(60)

    mutating func accept(_ line: HostLine) {
        switch line.content {
        case .tooLong(let id): effects.append(.write(RemoteMessage.Unreadable(tooLongFor: id).reply))
        case .text(let text):
            for message in RemoteMessage.messages(in: text) {
                switch message {
                case .success(let message): start(message)
                case .failure(let unreadable): effects.append(.write(unreadable.reply))
                }
            }
        }
    }

    private mutating func start(_ message: RemoteMessage) {
        if message.method == "notifications/cancelled", let id = MessageID(message.parameters?["requestId"]), cancel(id) { return }
        let number = add(.host, message)
        if let handshake { exchanges[number]?.phase = .afterHandshake(handshake) } else { advance(number) }
        if message.method == "initialize" || message.method == "notifications/initialized" { handshake = number }
    }

    /// Cancels a request of the host.
    ///
    /// - Returns: Whether the host's notification needs no further action. Otherwise, it has to be forwarded: before 2026-07-28, the end
    ///   of a connection does not cancel a request.
    private mutating func cancel(_ id: MessageID) -> Bool {
        guard let number = numbers(where: { $0.isOfHost && $0.message?.id == id }).first else { return revision == nil }
        let isSent = exchanges[number]?.isSent ?? false
        end(number)
        return revision == nil || !isSent
    }

    /// Sends the messages that wait for an exchange.
    mutating func release(_ number: Int) {
        if handshake == number { handshake = nil }
        for waiting in numbers(where: { $0.phase == .afterHandshake(number) }) { advance(waiting) }
    }

    /// Sends the message of an exchange, unless it needs a session that is just being started.
    mutating func advance(_ number: Int) {
        guard let exchange = exchanges[number], let message = exchange.message else { return }
        let isInSession = exchange.isOfHost && message.revision == nil && message.method != "initialize"
        guard !isInSession || lostSession == nil else {
            exchanges[number]?.phase = .beforeSession
            return
        }
        exchanges[number]?.isSent = true
        exchanges[number]?.session = isInSession ? session : nil
        exchanges[number]?.generation = access.generation
        let isForResponse = message.id != nil && exchange.isOfHost
        send(
            number, .post, fields(of: message), body: message.bytes, timeout: isForResponse ? Self.responseTimeout : Self.acceptanceTimeout)
        if exchange.attempt == 0, message.method == "notifications/initialized" { set(.handshake(number), after: Self.handshakeLimit) }
    }

    private func fields(of message: RemoteMessage) -> HTTPFields {
        var fields = message.method == "initialize" ? [:] : sessionFields
        if let revision = message.revision {
            fields = [:]
            fields.set(RemoteHeaders.revision, to: revision)
            for (name, value) in RemoteHeaders.fields(for: message, parameters) { fields.set(HTTPField.Name(name), to: value) }
        }
        fields[.contentType] = "application/json"
        fields[.accept] = "application/json, text/event-stream"
        return fields
    }

    /// The fields of all requests in a session (before 2026-07-28).
    var sessionFields: HTTPFields {
        var fields: HTTPFields = [:]
        fields.set(RemoteHeaders.session, to: session)
        fields.set(RemoteHeaders.revision, to: revision)
        return fields
    }
}

// MARK: - The proxy's own messages

extension ProxyMachine {
    private static let pageLimit = 100

    /// Starts a new session for a message, because the server no longer knows the old one. Concurrent messages share it.
    mutating func restart(_ number: Int) {
        close(number)
        exchanges[number]?.hasRestarted = true
        exchanges[number]?.isSent = false
        if lostSession == nil, let session, exchanges[number]?.session == session, let initialization {
            lostSession = session
            let request = RemoteMessage(request: "initialize", id: ownID(), parameters: initialization.parameters)
            advance(add(.newSession, request))
        }
        advance(number)
    }

    /// Continues with the response to the proxy's own `initialize`.
    mutating func newSession(_ response: [UInt8], offered: String?) {
        guard MessageText(response)?["result"] != nil else { return newSessionEnded(.noNewSession) }
        session = offered
        advance(add(.newSessionStarted, RemoteMessage(notification: "notifications/initialized")))
    }

    /// - Parameter failure: Why there is no new session; nil if there is one. The next message tries again.
    mutating func newSessionEnded(_ failure: ProxyFailure?) {
        if failure != nil { session = lostSession }
        lostSession = nil
        if failure == nil { listen() }
        for number in numbers(where: { $0.phase == .beforeSession }) {
            if let failure { fail(number, failure) } else { advance(number) }
        }
    }

    /// Requests the tools until the called one is listed, whose parameters the header fields have to repeat.
    mutating func listTools(for call: Int, from cursor: JSONValue? = nil, page: Int = 1) {
        var meta = exchanges[call]?.message?.parameters?["_meta"]?.value?.object ?? JSONObject()
        meta["progressToken"] = nil
        var parameters = JSONObject()
        parameters["_meta"] = .object(meta)
        parameters["cursor"] = cursor
        let text = MessageText(JSONValue.object(parameters).serialized())
        advance(add(.tools(call: call, page: page), RemoteMessage(request: "tools/list", id: ownID(), parameters: text)))
    }

    mutating func toolsListed(_ response: [UInt8], for call: Int, page: Int) {
        let result = MessageText(response)?["result"]
        let name = exchanges[call]?.message?.parameters?["name"]?.string
        let isListed = result?["tools"]?.elements()?.contains { $0["name"]?.string == name } ?? false
        guard !isListed, page < Self.pageLimit, let cursor = result?["nextCursor"]?.value else { return advance(call) }
        listTools(for: call, from: cursor, page: page + 1)
    }
}
