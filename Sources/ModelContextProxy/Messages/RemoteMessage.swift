import AuthHubPrimitives

/// A JSON-RPC message of the Model Context Protocol, on its way to the server.
struct RemoteMessage: Sendable {
    enum Kind: Sendable {
        case request(id: MessageID, method: String)
        case notification(method: String)
        case response
    }

    let bytes: [UInt8]
    let kind: Kind
    /// Whether the proxy itself sends the message, so that the host must not see the response.
    let isOwn: Bool
    let parameters: MessageText?

    /// A text that is not a message, with the error for the host.
    struct Unreadable: Error {
        let reply: [UInt8]

        /// - Parameter id: The ID of the message; nil if it was not found.
        init(tooLongFor id: MessageID?) {
            self.init(
                code: RemoteMessage.invalidRequest, "the message is longer than \(HostLines.usualSizeLimit / 1_048_576) MiB", id)
        }

        fileprivate init(code: Int64, _ message: String, _ id: MessageID?) {
            reply = RemoteMessage.error(code: code, message, id: id ?? .null)
        }
    }

    /// Reads the messages of a line: one, or several in an array (MCP 2025-03-26). The responses to those of an array are not joined.
    static func messages(in line: [UInt8]) -> [Result<Self, Unreadable>] {
        guard let text = MessageText(line) else {
            var search = MessageIDSearch()
            search.accept(line)
            return [.failure(Unreadable(code: parseError, "the line is not JSON", search.id))]
        }
        guard let elements = text.elements(), !elements.isEmpty else { return [message(text)] }
        return elements.map(message)
    }

    private static func message(_ text: MessageText) -> Result<Self, Unreadable> {
        let members = Dictionary(text.members.map { ($0.name, $0.value) }) { _, last in last }
        let (method, id) = (members["method"]?.string, MessageID(members["id"]))
        let kind: Kind
        switch (method, members["id"]) {
        case _ where members["jsonrpc"]?.string != "2.0":
            return .failure(Unreadable(code: invalidRequest, "the message is not a JSON-RPC 2.0 message", id))
        case (let method?, nil): kind = .notification(method: method)
        case (let method?, _?) where id != nil: kind = .request(id: id ?? .null, method: method)
        case (nil, _?) where members["result"] != nil || members["error"] != nil: kind = .response
        default: return .failure(Unreadable(code: invalidRequest, "the message is neither a request nor a response", id))
        }
        return .success(Self(bytes: Array(text.bytes), kind: kind, isOwn: false, parameters: members["params"]))
    }

    /// Creates a request of the proxy itself.
    init(request method: String, id: String, parameters: MessageText?) {
        let rest = parameters.map { #","params":\#(String(decoding: $0.bytes, as: UTF8.self))"# } ?? ""
        bytes = Array(#"{"jsonrpc":"2.0","id":"\#(id)","method":"\#(method)"\#(rest)}"#.utf8)
        kind = .request(id: MessageID(MessageText(Array("\"\(id)\"".utf8))) ?? .null, method: method)
        (self.parameters, isOwn) = (parameters, true)
    }

    /// Creates a notification of the proxy itself.
    init(notification method: String) {
        bytes = Array(#"{"jsonrpc":"2.0","method":"\#(method)"}"#.utf8)
        (kind, parameters, isOwn) = (.notification(method: method), nil, true)
    }

    private init(bytes: [UInt8], kind: Kind, isOwn: Bool, parameters: MessageText?) {
        (self.bytes, self.kind, self.isOwn, self.parameters) = (bytes, kind, isOwn, parameters)
    }

    /// The ID that the response will have; nil unless this is a request.
    var id: MessageID? { if case .request(let id, _) = kind { id } else { nil } }

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
        id.map { Self.error(code: Self.serverError, message, id: $0) }
    }

    fileprivate static func error(code: Int64, _ message: String, id: MessageID) -> [UInt8] {
        let error: JSONValue = ["code": .number(JSONNumber(code)), "message": .string(message)]
        return Array(#"{"jsonrpc":"2.0","id":"#.utf8) + id.bytes + Array(#","error":"#.utf8) + error.serialized() + [UInt8(ascii: "}")]
    }
}
