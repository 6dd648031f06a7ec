public import AuthHubPrimitives
public import HTTPTypes

/// What came back for a ``LoadRequest``: the final message, and its body still on its way.
public struct LoadResponse: Sendable {
    public var head: HTTPResponse
    public var body: ResponseBody
    /// What the chain did to get it.
    public var notes: ResponseNotes

    public init(_ head: HTTPResponse, body: ResponseBody = .empty, notes: ResponseNotes = ResponseNotes()) {
        self.head = head
        self.body = body
        self.notes = notes
    }

    public var status: HTTPResponse.Status { head.status }
}

/// Facts about a load that are not part of any message.
public struct ResponseNotes: Sendable, Hashable {
    /// How often the request was sent in the same form with other credentials.
    public var replays = 0
    /// The addresses a redirect led to, in order; origins only, since paths may hold secrets.
    public var redirects: [Origin] = []

    public init() {}
}
