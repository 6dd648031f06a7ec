import AuthHubPrimitives
import HTTPTypes
import Synchronization

/// A minimal server of the Model Context Protocol, which accepts only tokens that were issued for it.
///
/// It understands the wire formats of the revisions 2025-11-25, which starts with `initialize`, and 2026-07-28, which does not.
struct ModelContextEndpoint: Sendable {
    let state: ServerState

    static let path = "/mcp"
    private static let revisions = ["2026-07-28", "2025-11-25", "2025-06-18"]

    func respond(to request: IncomingRequest) -> Answer {
        let message = request.json?.object
        let isWrite = message?["method"] == "tools/call" && message?["params"]?["name"] == "write_note"
        let user: DevelopmentUser
        switch authorize(request, scope: Persona.modelContextScopes[isWrite ? 1 : 0]) {
        case .success(let holder): user = holder
        case .failure(let refusal): return refusal.answer
        }
        if request.method == .delete {
            state.modelContextSessions.withLock { _ = $0.remove(request.header(named: "Mcp-Session-Id") ?? "") }
            return Answer(status: .noContent)
        }
        guard request.method == .post else { return .methodNotAllowed(allowed: [.post, .delete]) }
        guard let message, message["jsonrpc"] == "2.0", let method = message["method"]?.string else {
            return .json(["jsonrpc": "2.0", "id": .null, "error": ["code": -32600, "message": "Invalid Request"]], status: .badRequest)
        }
        let revision = message["params"]?["_meta"]?["io.modelcontextprotocol/protocolVersion"]?.string
        if let problem = revision.map({ problem(of: request, method, message["params"], $0) }) ?? sessionProblem(of: request, method) {
            return problem
        }
        guard let id = message["id"] else { return Answer(status: .accepted) }
        var reply = JSONObject()
        reply["jsonrpc"] = "2.0"
        reply["id"] = id
        if let result = result(of: method, message["params"], for: user) {
            reply["result"] = result
        } else {
            reply["error"] = ["code": -32601, "message": "Method not found"]
        }
        if message["params"]?["name"] == "count", let token = message["params"]?["_meta"]?["progressToken"] {
            return Self.progress(token, before: reply)
        }
        var answer = Answer.json(.object(reply))
        if method == "initialize" {
            let session = Base64URL.encode(randomBytes(count: 16))
            state.modelContextSessions.withLock { _ = $0.insert(session) }
            answer.setHeader("Mcp-Session-Id", to: session)
        }
        return answer
    }

    /// Returns the error of a message since 2026-07-28 whose header fields differ from its body.
    private func problem(of request: IncomingRequest, _ method: String, _ parameters: JSONValue?, _ revision: String) -> Answer? {
        var expected = ["MCP-Protocol-Version": revision, "Mcp-Method": method]
        if let name = parameters?["name"]?.string { expected["Mcp-Name"] = name }
        let tool = Self.tools.first { $0["name"] == parameters?["name"] }
        for property in tool?["inputSchema"]?["properties"]?.object?.members ?? [] {
            guard let header = property.value["x-mcp-header"]?.string, let value = parameters?["arguments"]?[property.name]?.string else {
                continue
            }
            expected["Mcp-Param-\(header)"] = value
        }
        guard let wrong = expected.first(where: { Self.decoded(request.header(named: $0.key)) != $0.value }) else { return nil }
        return .json(
            [
                "jsonrpc": "2.0", "id": .null,
                "error": ["code": -32020, "message": .string("Header mismatch: \(wrong.key)")],
            ], status: .badRequest)
    }

    private static func decoded(_ value: String?) -> String? {
        guard let value, value.hasPrefix("=?base64?"), value.hasSuffix("?=") else { return value }
        let text = value.dropFirst("=?base64?".count).dropLast(2).prefix { $0 != "=" }
        let bytes = Base64URL.decode(String(text.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }))
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the error of an earlier revision's message that belongs to no session.
    private func sessionProblem(of request: IncomingRequest, _ method: String) -> Answer? {
        guard method != "initialize", let session = request.header(named: "Mcp-Session-Id") else { return nil }
        return state.modelContextSessions.withLock { $0.contains(session) } ? nil : .notFound("The session has ended.")
    }

    /// Returns a stream of two notifications and the response.
    private static func progress(_ token: JSONValue, before reply: JSONObject) -> Answer {
        let notes: [JSONValue] = [1, 2].map { step in
            [
                "jsonrpc": "2.0", "method": "notifications/progress",
                "params": ["progressToken": token, "progress": .number(JSONNumber(Int64(step))), "total": 2],
            ]
        }
        let events = (notes + [.object(reply)]).map { "event: message\ndata: \(String(decoding: $0.serialized(), as: UTF8.self))\n\n" }
        return Answer(status: .ok, headers: [.contentType: "text/event-stream"], body: Array(events.joined().utf8))
    }

    private static let tools: [JSONValue] = [
        ["name": "whoami", "description": "Returns the name of the signed-in user.", "inputSchema": ["type": "object"]],
        ["name": "write_note", "description": "Writes a note.", "inputSchema": ["type": "object"]],
        ["name": "count", "description": "Reports its progress.", "inputSchema": ["type": "object"]],
        [
            "name": "lookup", "description": "Looks a word up in a region.",
            "inputSchema": ["type": "object", "properties": ["region": ["type": "string", "x-mcp-header": "Region"]]],
        ],
    ]

    private func result(of method: String, _ parameters: JSONValue?, for user: DevelopmentUser) -> JSONValue? {
        switch method {
        case "initialize":
            let wanted = parameters?["protocolVersion"]?.string
            let revision = Self.revisions.first { $0 == wanted } ?? Self.revisions[1]
            return [
                "protocolVersion": .string(revision), "capabilities": ["tools": [:]],
                "serverInfo": ["name": "authhub-development-server", "version": "1"],
            ]
        case "ping": return [:]
        case "tools/list":
            return ["tools": .array(Self.tools)]
        case "tools/call":
            let text = parameters?["name"] == "write_note" ? "The note was written." : user.login
            return ["content": [["type": "text", "text": .string(text)]]]
        default: return nil
        }
    }

    private func authorize(_ request: IncomingRequest, scope: String) -> Result<DevelopmentUser, RefusedResource> {
        guard let token = request.bearerToken else { return .failure(challenge(error: nil, scope: scope)) }
        let holder = state.grants.withLock { $0.holder(ofAccessToken: token, at: state.now) }
        guard let holder, let user = state.holder(of: holder.grant), holder.audience.contains(state.issuer + Self.path) else {
            return .failure(challenge(error: "invalid_token", scope: scope))
        }
        guard holder.scope.contains(scope) else {
            return .failure(challenge(error: "insufficient_scope", scope: scope, status: .forbidden))
        }
        return .success(user)
    }

    private func challenge(error: String?, scope: String, status: HTTPResponse.Status = .unauthorized) -> RefusedResource {
        var answer = Answer.json(error.map { ["error": .string($0)] } ?? ["message": "Requires authentication"], status: status)
        let first = error.map { "error=\"\($0)\", " } ?? ""
        answer.headers[.wwwAuthenticate] =
            "Bearer \(first)resource_metadata=\"\(state.resourceMetadataURL)\(Self.path)\", scope=\"\(scope)\""
        return RefusedResource(answer: answer)
    }
}
