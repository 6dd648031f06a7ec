import AuthHub
import AuthHubPrimitives
import CredentialStorage
import HTTPLoading
import HTTPTypes

extension RemoteConversation {
    private static let bodyLimit = EventStream.usualSizeLimit
    /// The size from which on a message is large, in bytes.
    private static let largeSize = 1024 * 1024
    private static let longestWait = Duration.seconds(300)
    private static let probeTimeout = Duration.seconds(5)
    private static let probeSize = 4096

    func accept(_ response: LoadResponse, to message: RemoteMessage, _ sender: ResourceSender) async throws(Failure) {
        if message.method == "initialize", message.revision == nil, response.status.kind == .successful { note(response, of: message) }
        guard message.id != nil else {
            response.body.cancel()
            guard response.status.kind == .successful else { throw refusal(response.status, sender) }
            return
        }
        guard response.status.kind == .successful, response.head.headerFields.mediaType == "text/event-stream" else {
            return try await answer(message, status: response.status, try await body(of: response, sender), sender)
        }
        try await follow(response, until: message, sender)
    }

    func body(of response: LoadResponse, _ sender: ResourceSender) async throws(Failure) -> [UInt8] {
        var (body, turn) = ([UInt8](), Turns<Bool>.Turn?.none)
        defer { turn?.end() }
        var iterator = response.body.makeAsyncIterator()
        do throws(LoadError) {
            while let bytes = try await iterator.next() {
                if turn == nil { turn = await turnIfLarge(body.count + bytes.count) }
                body += bytes
                guard body.count <= Self.bodyLimit else { break }
            }
        } catch {
            throw await sender.failure(error)
        }
        guard body.count <= Self.bodyLimit else {
            response.body.cancel()
            throw Self.tooLarge
        }
        return body
    }

    /// Waits until no other large message is held in memory.
    ///
    /// - Returns: nil for a small message.
    func turnIfLarge(_ size: Int) async -> Turns<Bool>.Turn? {
        size > Self.largeSize ? await largeMessages.take(true, waitingAtMost: Self.longestWait) : nil
    }

    static var tooLarge: Failure {
        Failure(
            "server_misbehaved", .failed, "the server sent a message of more than \(bodyLimit / 1_048_576) MiB", hint: "request less")
    }

    /// Forwards a response that is a single message, or one of several in an array.
    func answer(_ message: RemoteMessage, status: HTTPResponse.Status, _ body: [UInt8], _ sender: ResourceSender) async throws(Failure) {
        guard let id = message.id else { throw refusal(status, sender) }
        let messages = ServerMessage.messages(in: body)
        for other in messages ?? [] where other.hasMethod { reply(Array(other.text.bytes)) }
        let responses = (messages ?? []).filter(\.isResponse)
        if let bytes = responses.lazy.compactMap({ $0.bytes(answering: id) }).first { return deliver(bytes, to: message) }
        guard status.kind == .successful else {
            if !hasAnswered, [400, 404, 405].contains(status.code), await isOldTransport(sender) { throw Self.oldTransport }
            throw refusal(status, sender)
        }
        throw Failure(
            "server_misbehaved", .failed,
            responses.isEmpty
                ? "the server's response is not a JSON-RPC message" : "the server returned the response to another request",
            hint: "report this to the server's operator")
    }

    /// Whether the server has the transport of 2024-11-05: it answers GET with a stream whose first event names the URL for messages.
    private func isOldTransport(_ sender: ResourceSender) async -> Bool {
        guard var request = try? LoadRequest.get(url, headers: [.accept: "text/event-stream"]) else { return false }
        request.options[AttemptTimeout.self] = Self.probeTimeout
        request.options[RedirectScope.self] = .sameOrigin
        guard let response = try? await sender.load(access.complete(request)) else { return false }
        defer { response.body.cancel() }
        guard response.status == .ok, response.head.headerFields.mediaType == "text/event-stream" else { return false }
        var (iterator, start) = (response.body.makeAsyncIterator(), [UInt8]())
        while start.count < Self.probeSize, let bytes = try? await iterator.next() {
            start += bytes
            let lines = String(decoding: start, as: UTF8.self).split(whereSeparator: \.isNewline)
            if lines.contains(where: { $0 == "event: endpoint" || $0 == "event:endpoint" }) { return true }
        }
        return false
    }

    private static var oldTransport: Failure {
        Failure(
            "not_offered", .failed, "this is an HTTP+SSE server of the MCP revision 2024-11-05, which the proxy does not support",
            hint: "ask the server's operator for the URL of its Streamable HTTP transport, which often ends with /mcp instead of /sse")
    }

    private func refusal(_ status: HTTPResponse.Status, _ sender: ResourceSender) -> Failure {
        // Without an account, the tool sends no such request.
        let advice = sender.account == nil ? "" : "; authhub request -i \(url.shellWord) --json MESSAGE shows the whole response"
        return Failure(
            "http_\(status.code)", .failed, "the server responded \(status.code) \(status.reasonPhrase)",
            hint: "check the URL\(access.usesAccount ? "" : " and the values of --header")\(advice)")
    }

    static func isHeaderMismatch(_ body: [UInt8]) -> Bool {
        ServerMessage.messages(in: body)?.first?.error?["code"]?.scalar == String(RemoteMessage.headerMismatch)
    }

    /// Forwards a response, unless the tool itself sent the request.
    func deliver(_ bytes: [UInt8], to message: RemoteMessage) {
        var bytes = bytes
        hasAnswered = true
        if message.method == "initialize", message.revision == nil,
            let agreed = MessageText(bytes)?["result"]?["protocolVersion"]?.string, RemoteMessage.isRevision(agreed)
        {
            revision = agreed
        }
        if message.method == "tools/list", message.revision != nil, let changed = parameters.accept(bytes) {
            for name in changed.rejected {
                console.warn("the tool \(displayable(name, limit: 100)) is left out: the header fields that it requires cannot be sent")
            }
            bytes = changed.response
        }
        if !message.isOwn {
            reply(bytes)
        } else if let id = message.id {
            ownResponses[id] = MessageText(bytes)
        }
    }
}
