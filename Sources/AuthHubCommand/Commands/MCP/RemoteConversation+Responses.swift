import AuthHub
import AuthHubPrimitives
import HTTPLoading
import HTTPTypes

extension RemoteConversation {
    private static let bodyLimit = 16 * 1024 * 1024

    func accept(_ response: LoadResponse, to message: RemoteMessage, _ account: SignedInAccount) async throws(Failure) {
        if message.method == "initialize", message.revision == nil, response.status.kind == .successful { note(response, of: message) }
        guard message.id != nil else {
            response.body.cancel()
            guard response.status.kind == .successful else { throw refusal(response.status) }
            return
        }
        guard response.status.kind == .successful, response.head.headerFields.mediaType == "text/event-stream" else {
            return try answer(message, status: response.status, try await body(of: response, account))
        }
        try await follow(response, until: message, account)
    }

    func body(of response: LoadResponse, _ account: SignedInAccount) async throws(Failure) -> [UInt8] {
        do throws(LoadError) {
            return try await response.body.collect(upTo: Self.bodyLimit)
        } catch {
            throw await account.failure(error)
        }
    }

    /// Forwards a response that is a single message.
    func answer(_ message: RemoteMessage, status: HTTPResponse.Status, _ body: [UInt8]) throws(Failure) {
        guard let id = message.id else { return }
        guard var answer = (try? JSONValue(strict: body))?.object, answer["result"] != nil || answer["error"] != nil else {
            throw status.kind == .successful
                ? Failure(
                    "server_misbehaved", .failed, "the server's response is not a JSON-RPC message",
                    hint: "report this to the server's operator")
                : refusal(status)
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

    private func refusal(_ status: HTTPResponse.Status) -> Failure {
        Failure(
            "http_\(status.code)", .failed, "the server responded \(status.code) \(status.reasonPhrase)",
            hint: "check the URL; authhub request -i \(url.shellWord) --json MESSAGE shows the whole response")
    }

    static func isHeaderMismatch(_ body: [UInt8]) -> Bool {
        (try? JSONValue(strict: body))?["error"]?["code"]?.number?.int64 == RemoteMessage.headerMismatch
    }

    /// Forwards a response, unless the tool itself sent the request.
    func deliver(_ bytes: [UInt8], to message: RemoteMessage) {
        var bytes = bytes
        if message.method == "initialize", message.revision == nil,
            let agreed = (try? JSONValue(strict: bytes))?["result"]?["protocolVersion"]?.string, RemoteMessage.isRevision(agreed)
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
            ownResponses[id.serialized()] = bytes
        }
    }
}
