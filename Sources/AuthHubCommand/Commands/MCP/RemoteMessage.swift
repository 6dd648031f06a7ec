import AuthHubPrimitives

/// A JSON-RPC message of the Model Context Protocol, on its way to the server.
struct RemoteMessage: Sendable {
    enum Kind: Sendable {
        case request(id: JSONValue, method: String)
        case notification(method: String)
        case response
    }

    let bytes: [UInt8]
    let kind: Kind
    /// Whether the tool itself sends the message, so that the host must not see the response.
    let isOwn: Bool
    private let members: JSONObject

    /// Reads a line.
    ///
    /// - Returns: nil if it is not a single message.
    init?(_ line: [UInt8]) {
        guard let members = (try? JSONValue(strict: line))?.object, members["jsonrpc"] == "2.0" else { return nil }
        self.init(members, bytes: line, isOwn: false)
    }

    /// Creates a request of the tool itself.
    init(request method: String, parameters: JSONValue) {
        let id = JSONValue.string("authhub-\(Base64URL.encode(randomBytes(count: 12)))")
        var members = JSONObject()
        members["jsonrpc"] = "2.0"
        members["id"] = id
        members["method"] = .string(method)
        members["params"] = parameters
        (self.members, kind, isOwn) = (members, .request(id: id, method: method), true)
        bytes = JSONValue.object(members).serialized()
    }

    /// Creates a notification of the tool itself.
    init(notification method: String) {
        var members = JSONObject()
        members["jsonrpc"] = "2.0"
        members["method"] = .string(method)
        (self.members, kind, isOwn) = (members, .notification(method: method), true)
        bytes = JSONValue.object(members).serialized()
    }

    private init?(_ members: JSONObject, bytes: [UInt8], isOwn: Bool) {
        (self.members, self.bytes, self.isOwn) = (members, bytes, isOwn)
        switch (members["method"]?.string, members["id"]) {
        case (let method?, let id?): kind = .request(id: id, method: method)
        case (let method?, nil): kind = .notification(method: method)
        case (nil, _?) where members["result"] != nil || members["error"] != nil: kind = .response
        default: return nil
        }
    }

    var parameters: JSONValue? { members["params"] }

    /// The ID that the response will have; nil unless this is a request.
    var id: JSONValue? { if case .request(let id, _) = kind { id } else { nil } }

    /// nil for a response.
    var method: String? {
        switch kind {
        case .request(_, let method), .notification(let method): method
        case .response: nil
        }
    }

    /// The revision that the message names; nil before 2026-07-28, when `initialize` negotiates it.
    var revision: String? {
        guard let text = parameters?["_meta"]?["io.modelcontextprotocol/protocolVersion"]?.string, Self.isRevision(text) else { return nil }
        return text
    }

    /// Whether a text can be sent in a header field as a revision.
    static func isRevision(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 64 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// The code of text that is not JSON (JSON-RPC 2.0 §5.1).
    static let parseError: Int64 = -32700
    /// The code of an invalid message (JSON-RPC 2.0 §5.1).
    static let invalidRequest: Int64 = -32600
    /// The first of the codes that implementations define (JSON-RPC 2.0 §5.1).
    static let serverError: Int64 = -32000
    /// The code of a message that its header fields do not repeat (MCP 2026-07-28).
    static let headerMismatch: Int64 = -32020

    /// Returns an error response to the request; nil unless this is a request.
    func failure(_ message: String) -> [UInt8]? {
        guard let id else { return nil }
        return Self.error(code: Self.serverError, message, id: id)
    }

    static func error(code: Int64, _ message: String, id: JSONValue) -> [UInt8] {
        var reply = JSONObject()
        reply["jsonrpc"] = "2.0"
        reply["id"] = id
        reply["error"] = ["code": .number(JSONNumber(code)), "message": .string(message)]
        return JSONValue.object(reply).serialized()
    }
}
