public import HTTPTypes

/// What came back for a ``LoadRequest``: the final message, and its body still on its way.
public struct LoadResponse: Sendable {
    // In one object, because every function of a chain keeps room for a response.
    private var parts: Parts

    public init(_ head: HTTPResponse, body: ResponseBody = .empty, notes: ResponseNotes = ResponseNotes()) {
        parts = Parts(head: head, body: body, notes: notes, request: nil)
    }

    /// Status and header fields.
    public var head: HTTPResponse {
        get { parts.head }
        _modify {
            makeOwn()
            yield &parts.head
        }
    }

    /// To be read once, or cancelled: until then its connection, and whatever limits count it, are held.
    public var body: ResponseBody {
        get { parts.body }
        _modify {
            makeOwn()
            yield &parts.body
        }
    }

    /// What the chain did to get it.
    public var notes: ResponseNotes {
        get { parts.notes }
        _modify {
            makeOwn()
            yield &parts.notes
        }
    }

    /// The load this answers; nil until a chain hands it on.
    public internal(set) var request: RequestID? {
        get { parts.request }
        _modify {
            makeOwn()
            yield &parts.request
        }
    }

    public var status: HTTPResponse.Status { parts.head.status }

    private mutating func makeOwn() {
        if !isKnownUniquelyReferenced(&parts) { parts = parts.copy() }
    }
}

extension LoadResponse {
    private final class Parts: @unchecked Sendable {  // changed only by a response that has it for itself
        var head: HTTPResponse
        var body: ResponseBody
        var notes: ResponseNotes
        var request: RequestID?

        init(head: HTTPResponse, body: ResponseBody, notes: ResponseNotes, request: RequestID?) {
            self.head = head
            self.body = body
            self.notes = notes
            self.request = request
        }

        func copy() -> Parts { Parts(head: head, body: body, notes: notes, request: request) }
    }
}

/// Shows the status and what the chain did: all else may hold secrets.
extension LoadResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "\(status.code)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["status": status.code, "notes": notes] as KeyValuePairs<String, Any>) }
}
