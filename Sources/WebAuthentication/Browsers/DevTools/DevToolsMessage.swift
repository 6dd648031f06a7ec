import AuthHubPrimitives

/// A message from a browser over its DevTools pipe.
enum DevToolsMessage: Sendable, Hashable {
    /// The response to a command; its result is nil if the command failed.
    case answer(id: Int64, result: JSONValue?)
    /// An event; in the whole browser if the session is nil, otherwise in one target.
    case event(method: String, parameters: JSONValue, session: String?)

    /// Parses a message.
    ///
    /// - Returns: nil unless it is strict JSON of this shape.
    init?(_ bytes: [UInt8]) {
        guard let value = try? JSONValue(received: bytes), value.object != nil else { return nil }
        if let id = value["id"]?.number?.int64 {
            // Explicit because `nil` would be inferred as the JSON value null.
            let hasFailed = value["error"].map { _ in true } ?? false
            self = .answer(id: id, result: hasFailed ? JSONValue?.none : value["result"] ?? [:])
        } else if let method = value["method"]?.string {
            self = .event(method: method, parameters: value["params"] ?? [:], session: value["sessionId"]?.string)
        } else {
            return nil
        }
    }
}

/// A command to a browser over its DevTools pipe.
struct DevToolsCommand: Sendable, Hashable {
    let id: Int64
    let method: String
    var parameters: JSONValue = [:]
    /// The target's session; nil for the whole browser.
    var session: String?

    /// The command as JSON, without the NUL that ends it on the pipe.
    var bytes: [UInt8] {
        var message: JSONValue = ["id": .number(JSONNumber(id)), "method": .string(method), "params": parameters]
        if let session, var object = message.object {
            object["sessionId"] = .string(session)
            message = .object(object)
        }
        return message.serialized()
    }
}
