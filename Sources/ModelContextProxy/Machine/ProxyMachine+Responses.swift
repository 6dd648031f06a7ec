import AuthHub
import AuthHubPrimitives
import HTTPTypes

extension ProxyMachine {
    private static let probeTimeout = Duration.seconds(5)
    private static let probeSize = 4096

    mutating func responded(_ response: ServerResponse, _ number: Int) {
        guard let exchange = exchanges[number] else { return }
        switch exchange.purpose {
        case .end: end(number)
        case .probe:
            guard response.status == .ok, response.isEventStream else { return fail(number, nil) }
            readMore(number, .readingBody)
        default:
            if exchange.phase == .opening { opened(response, number) } else { accepted(response, number, exchange) }
        }
    }

    private mutating func accepted(_ response: ServerResponse, _ number: Int, _ exchange: Exchange) {
        guard let message = exchange.message else { return }
        if let requirement = response.requirement {
            if server.usesAccount, AccessPolicy.allowsRepeating(after: exchange.signIns) { return require(requirement, response, number) }
        } else {
            access.policy.accepted()
        }
        // Servers respond 404 or 400 if they no longer know a session.
        if response.status == .notFound, exchange.session != nil, !exchange.hasRestarted { return restart(number) }
        exchanges[number]?.response = response
        if response.isSuccessful {
            if let session = exchange.session { workingSession = session }
            // The proxy keeps its session until the server has agreed to the new one.
            if message.method == "initialize", message.revision == nil, exchange.isOfHost {
                (initialization, session) = (message, response.session)
            }
        }
        if message.id == nil, response.status != .badRequest {
            return response.isSuccessful ? done(number, exchange) : fail(number, refusal(response))
        }
        readMore(number, response.isSuccessful && response.isEventStream ? .readingStream : .readingBody)
    }

    mutating func bodyEnded(_ number: Int, _ failure: ProxyFailure?) {
        closed(number)
        guard let exchange = exchanges[number] else { return }
        switch exchange.phase {
        case .opening: streamEnded(number, nil)
        case .readingStream: streamEnded(number, failure)
        default:
            guard failure == nil, !exchange.isProbe else { return fail(number, exchange.isProbe ? nil : failure) }
            answered(number, exchange)
        }
    }

    /// Continues with a response that is a single message, or one of several in an array.
    private mutating func answered(_ number: Int, _ exchange: Exchange) {
        guard let message = exchange.message, let response = exchange.response else { return }
        let messages = ServerMessage.messages(in: exchange.body) ?? []
        exchanges[number]?.body = []
        if response.status == .badRequest {
            let isMismatch = messages.first?.error?["code"]?.scalar == String(RemoteMessage.headerMismatch)
            if isMismatch, !exchange.hasListedTools, message.method == "tools/call", message.revision != nil {
                exchanges[number]?.hasListedTools = true
                return listTools(for: number)
            }
            let isAnswered = messages.contains { $0.id != nil && $0.id == message.id }
            if let session = exchange.session, session == workingSession, !isAnswered, !exchange.hasRestarted { return restart(number) }
        }
        guard let id = message.id else { return fail(number, refusal(response)) }
        for other in messages where other.hasMethod { effects.append(.write(Array(other.text.bytes))) }
        let responses = messages.filter(\.isResponse)
        if let bytes = responses.lazy.compactMap({ $0.bytes(answering: id) }).first { return deliver(bytes, number) }
        guard !response.isSuccessful else {
            return fail(
                number,
                .misbehaved(
                    responses.isEmpty
                        ? "the server's response is not a JSON-RPC message" : "the server returned the response to another request"))
        }
        guard !hasAnswered, [400, 404, 405].contains(response.status.code) else { return fail(number, refusal(response)) }
        send(
            add(.probe(for: number, refusal: refusal(response))), .get, [.accept: "text/event-stream"], timeout: Self.probeTimeout)
    }

    /// Passes on the response to a message.
    mutating func deliver(_ bytes: [UInt8], _ number: Int) {
        guard let exchange = exchanges[number], let message = exchange.message else { return }
        var bytes = bytes
        hasAnswered = true
        if message.method == "initialize", message.revision == nil,
            let agreed = MessageText(bytes)?["result"]?["protocolVersion"]?.string, RemoteMessage.isRevision(agreed)
        {
            revision = agreed
        }
        if message.method == "tools/list", message.revision != nil, let changed = parameters.accept(bytes) {
            for name in changed.rejected {
                let name = displayable(name, limit: 100)
                effects.append(.warn("the tool \(name) is left out: the header fields that it requires cannot be sent"))
            }
            bytes = changed.response
        }
        if exchange.isOfHost { effects.append(.write(bytes)) }
        end(number)
        switch exchange.purpose {
        case .newSession: newSession(bytes, offered: exchange.response?.session)
        case .tools(let call, let page): toolsListed(bytes, for: call, page: page)
        default: break
        }
    }

    /// Ends the exchange of a notification or response that the server has accepted.
    private mutating func done(_ number: Int, _ exchange: Exchange) {
        if exchange.isOfHost, exchange.message?.method == "notifications/initialized" { listen() }
        end(number)
        if case .newSessionStarted = exchange.purpose { newSessionEnded(nil) }
    }

    /// Ends an exchange that has no response.
    ///
    /// - Parameter failure: The reason; nil if it does not matter.
    mutating func fail(_ number: Int, _ failure: ProxyFailure?) {
        guard let exchange = exchanges[number] else { return }
        if exchange.isOfHost, let failure {
            let reply = exchange.message?.failure("\(failure.message); next: \(failure.hint)")
            effects.append(reply.map { .write($0) } ?? .report(failure))
        }
        end(number)
        switch exchange.purpose {
        case .newSession, .newSessionStarted: newSessionEnded(failure)
        case .tools(let call, _): fail(call, failure)
        case .probe(let call, let refusal): fail(call, failure ?? refusal)
        case .host, .notifications, .end: break
        }
    }

    private func refusal(_ response: ServerResponse) -> ProxyFailure {
        // Without an account, the tool sends no such request.
        let advice = response.signIn == nil ? "" : "; authhub request -i \(server.url.shellWord) --json MESSAGE shows the whole response"
        return ProxyFailure(
            "http_\(response.status.code)", "the server responded \(response.status.code) \(response.status.reasonPhrase)",
            hint: "check the URL\(server.usesAccount ? "" : " and the values of --header")\(advice)")
    }
}

// MARK: - Bodies

extension ProxyMachine {
    /// The maximum time that a message waits for its turn to be held in memory.
    private static let turnLimit = Duration.seconds(300)

    /// Accepts bytes of a body, once no other large message is held in memory.
    mutating func read(_ bytes: ArraySlice<UInt8>, _ number: Int) {
        // A copy of the exchange would make each append copy the body.
        guard let phase = exchanges[number]?.phase, let isImpatient = exchanges[number]?.isImpatient else { return }
        let size = (exchanges[number]?.pendingSize ?? 0) + bytes.count
        guard size <= limits.large || isImpatient || largeMessages.enter(number) else {
            exchanges[number]?.held = bytes
            return set(.turn(number), after: Self.turnLimit)
        }
        if phase == .readingStream { return readStream(bytes, number) }
        guard size <= limits.message else { return fail(number, .tooLarge(limits.message)) }
        exchanges[number]?.body += bytes
        if exchanges[number]?.isProbe == true { readProbe(number, size) } else { readMore(number, .readingBody) }
    }

    private mutating func readProbe(_ number: Int, _ size: Int) {
        let lines = String(decoding: exchanges[number]?.body ?? [], as: UTF8.self).split(whereSeparator: \.isNewline)
        if lines.contains("event: endpoint") || lines.contains("event:endpoint") { return fail(number, .oldTransport) }
        if size >= Self.probeSize { fail(number, nil) } else { readMore(number, .readingBody) }
    }

    mutating func endTurn(_ number: Int) {
        exchanges[number]?.isImpatient = false
        if let next = largeMessages.leave(number) { readHeld(next) }
    }

    mutating func stopWaitingForTurn(_ number: Int) {
        exchanges[number]?.isImpatient = true
        readHeld(number)
    }

    private mutating func readHeld(_ number: Int) {
        guard let held = exchanges[number]?.held else { return }
        exchanges[number]?.held = nil
        remove(.turn(number))
        read(held, number)
    }
}
