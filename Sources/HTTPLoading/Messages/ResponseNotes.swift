public import AuthHubPrimitives

/// Facts about a load that are not part of any message.
public struct ResponseNotes: Sendable, Hashable {
    /// How often retrying sent the request, the last time included.
    public var attempts = 1
    /// How often the request was sent in the same form with other credentials.
    public var replays = 0
    /// Whether the request that was answered carried a credential of the chain's: a refusal of any other is not about that one.
    public var isAuthorized = false
    /// The addresses a redirect led to, in order; origins only, since paths may hold secrets.
    public var redirects: [Origin] = []
    /// The load that was sent, where de-duplication let this one share its response.
    public var sharedFrom: RequestID?
    /// Where the time went.
    public var timings = Timings()

    public init() {}

    /// Where the time went, up to the response's head.
    public struct Timings: Sendable, Hashable {
        /// From the chain's front to the head; zero as long as the response is still within the chain.
        public var total = Duration.zero
        /// Waiting for a permit or for the rate.
        public var waiting = Duration.zero
        /// Waiting between attempts.
        public var pausing = Duration.zero

        public init() {}
    }
}

extension ResponseNotes {
    /// Adds what was done for an earlier sending of the same load, such as the hop in front of this one.
    public mutating func add(_ earlier: ResponseNotes) {
        replays += earlier.replays
        redirects = earlier.redirects + redirects
        timings.waiting += earlier.timings.waiting
        timings.pausing += earlier.timings.pausing
    }
}
