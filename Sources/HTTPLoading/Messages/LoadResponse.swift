public import HTTPTypes

/// What came back for a ``LoadRequest``: the final message, and its body still on its way.
public struct LoadResponse: Sendable {
    /// Status and header fields.
    public var head: HTTPResponse
    /// To be read once, or cancelled: until then its connection, and whatever limits count it, are held.
    public var body: ResponseBody
    /// What the chain did to get it.
    public var notes: ResponseNotes
    /// The load this answers; nil until a chain hands it on.
    public internal(set) var request: RequestID?

    public init(_ head: HTTPResponse, body: ResponseBody = .empty, notes: ResponseNotes = ResponseNotes()) {
        self.head = head
        self.body = body
        self.notes = notes
    }

    public var status: HTTPResponse.Status { head.status }
}
