import AuthHubPrimitives

/// A JSON-RPC message of the server, on its way to the host. Only what the tool needs is read; hosts may accept more than the tool would.
struct ServerMessage: Sendable {
    let text: MessageText
    let id: MessageID?
    let isResponse: Bool
    /// Whether it is a request or a notification.
    let hasMethod: Bool
    let error: MessageText?

    private static let arrayLimit = 1000

    /// Reads the messages of a response's body or an event: one, or several in an array (MCP 2025-03-26).
    ///
    /// - Returns: nil if the text is not JSON, or has more than 1000 messages.
    static func messages(in bytes: [UInt8]) -> [Self]? {
        let isText = String(validating: bytes, as: UTF8.self) != nil
        guard let text = MessageText(isText ? bytes : Array(String(decoding: bytes, as: UTF8.self).utf8)) else { return nil }
        let texts = text.elements(upTo: arrayLimit) ?? [text]
        return texts.count > arrayLimit ? nil : texts.filter(\.isObject).map(Self.init)
    }

    private init(_ text: MessageText) {
        let members = Dictionary(text.members.map { ($0.name, $0.value) }) { _, last in last }
        self.text = text
        id = MessageID(members["id"])
        // The body of an OAuth error has a member of this name, too.
        error = members["error"].flatMap { $0.isObject ? $0 : nil }
        hasMethod = members["method"] != nil
        isResponse = !hasMethod && (members["result"] != nil || error != nil)
    }

    /// Returns the response with the ID that its request has.
    ///
    /// - Returns: nil if it is the response to another request. An error about the whole HTTP request has no ID.
    func bytes(answering request: MessageID) -> [UInt8]? {
        guard isResponse else { return nil }
        guard let id else { return error == nil ? nil : Self.bytes(of: text, replacing: nil, with: request) }
        guard id == request || (error != nil && id == .null) else { return nil }
        return id.bytes == request.bytes ? Array(text.bytes) : Self.bytes(of: text, replacing: text["id"], with: request)
    }

    private static func bytes(of text: MessageText, replacing old: MessageText?, with id: MessageID) -> [UInt8] {
        let bytes = text.bytes
        guard let old = old?.bytes else {
            return Array(#"{"id":"#.utf8) + id.bytes + [UInt8(ascii: ",")] + bytes.dropFirst()
        }
        return Array(bytes[..<old.startIndex]) + id.bytes + bytes[old.endIndex...]
    }
}
