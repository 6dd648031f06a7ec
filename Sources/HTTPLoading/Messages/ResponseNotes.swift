public import AuthHubPrimitives

/// Facts about how a response was obtained, such as the number of attempts.
public struct ResponseNotes: Sendable, Hashable {
    /// The number of attempts that the retry loader made, including the last one.
    public var attempts = 1
    /// The number of times the same request was sent again with another credential.
    public var replays = 0
    /// Whether the final request carried a credential from the chain. If not, a 401 does not mean that this credential is invalid.
    public var isAuthorized = false
    /// Whether the final request was sent without the chain's credential because its origin is not allowed to receive it, or
    /// because a server that is not has redirected it there.
    public var isCredentialWithheld = false
    /// Whether the credential was withheld only because a redirect of a server that gets none chose the final request.
    package var isChosenByOther = false
    /// The origins to which redirects led, in order. Paths are not recorded because they may contain secrets.
    public var redirects: [Origin] = []
    /// The ID of the request that was actually sent, if this request shares its response; otherwise nil.
    public var sharedFrom: RequestID?
    /// The durations of the steps.
    package var timings = Timings()

    /// Creates the notes of a first attempt, without replays and redirects.
    public init() {}

    /// The durations of the steps, up to the head of the response.
    package struct Timings: Sendable, Hashable {
        /// The time from the front of the chain to the head of the response; zero as long as the response is still within the chain.
        package var total = Duration.zero
        /// The time spent waiting for a permit or the rate limit.
        package var waiting = Duration.zero
        /// The time spent waiting between attempts.
        package var pausing = Duration.zero

        /// Creates timings in which all durations are zero.
        package init() {}
    }
}

extension ResponseNotes {
    /// Adds the notes of an earlier attempt at the same request, such as the hop before this one.
    public mutating func add(_ earlier: ResponseNotes) {
        replays += earlier.replays
        redirects = earlier.redirects + redirects
        timings.waiting += earlier.timings.waiting
        timings.pausing += earlier.timings.pausing
    }
}
