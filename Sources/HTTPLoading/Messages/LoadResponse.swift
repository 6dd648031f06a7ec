public import HTTPTypes

/// What came back for a ``LoadRequest``: the final message, and its body still on its way.
public struct LoadResponse: Sendable {
    private var parts: CopyOnWrite<Parts>

    private struct Parts: Sendable {
        var head: HTTPResponse
        var body: ResponseBody
        var notes: ResponseNotes
        var request: RequestID?
    }

    public init(_ head: HTTPResponse, body: ResponseBody = .empty, notes: ResponseNotes = ResponseNotes()) {
        parts = CopyOnWrite(Parts(head: head, body: body, notes: notes))
    }

    /// Status and header fields.
    public var head: HTTPResponse {
        get { parts.value.head }
        _modify { yield &parts.value.head }
    }

    /// To be read once, or cancelled: until then its connection, and whatever limits count it, are held.
    public var body: ResponseBody {
        get { parts.value.body }
        _modify { yield &parts.value.body }
    }

    /// What the chain did to get it.
    public var notes: ResponseNotes {
        get { parts.value.notes }
        _modify { yield &parts.value.notes }
    }

    /// The load this answers; nil until a chain hands it on.
    public internal(set) var request: RequestID? {
        get { parts.value.request }
        _modify { yield &parts.value.request }
    }

    public var status: HTTPResponse.Status { head.status }
}

/// Shows the status and what the chain did: all else may hold secrets.
extension LoadResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "\(status.code)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["status": status.code, "notes": notes] as KeyValuePairs<String, Any>) }
}
