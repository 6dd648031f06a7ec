public import HTTPTypes

/// The response to a ``LoadRequest``: the head, and a body that may still be in transit.
public struct LoadResponse: Sendable {
    // In one object, because every function of a chain reserves space for a response.
    private var parts: Parts

    /// Creates a response. For loaders that respond by themselves, and for transports.
    public init(_ head: HTTPResponse, body: ResponseBody = .empty, notes: ResponseNotes = ResponseNotes()) {
        parts = Parts(head: head, body: body, notes: notes)
    }

    /// The status and header fields.
    public var head: HTTPResponse {
        get { parts.head }
        _modify {
            makeOwn()
            yield &parts.head
        }
    }

    /// The body. Read it to its end or cancel it. Until then, it occupies a connection, and the request counts for all limits.
    public var body: ResponseBody {
        get { parts.body }
        _modify {
            makeOwn()
            yield &parts.body
        }
    }

    /// Notes about what the chain did to get the response.
    public var notes: ResponseNotes {
        get { parts.notes }
        _modify {
            makeOwn()
            yield &parts.notes
        }
    }

    /// The ID of the request that this is a response to; nil until a chain returns it.
    package internal(set) var request: RequestID? {
        get { parts.request }
        _modify {
            makeOwn()
            yield &parts.request
        }
    }

    /// The `Authorization` field of the request if the response was not successful. It has to be removed from text that is shown.
    var sentCredential: String? {
        get { parts.sentCredential }
        _modify {
            makeOwn()
            yield &parts.sentCredential
        }
    }

    /// The status of ``head``.
    public var status: HTTPResponse.Status { parts.head.status }

    private mutating func makeOwn() {
        if !isKnownUniquelyReferenced(&parts) { parts = parts.copy() }
    }
}

extension LoadResponse {
    private final class Parts: @unchecked Sendable {  // mutated only by a response that holds the only reference
        var head: HTTPResponse
        var body: ResponseBody
        var notes: ResponseNotes
        var request: RequestID?
        var sentCredential: String?

        init(head: HTTPResponse, body: ResponseBody, notes: ResponseNotes) {
            self.head = head
            self.body = body
            self.notes = notes
        }

        func copy() -> Parts {
            let copy = Parts(head: head, body: body, notes: notes)
            copy.request = request
            copy.sentCredential = sentCredential
            return copy
        }
    }
}

/// Shows the status and what the chain did. Everything else may contain secrets.
extension LoadResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "\(status.code)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["status": status.code, "notes": notes] as KeyValuePairs<String, Any>) }
}
