/// Where a loader stands in a ``Chain``: places in front come first.
///
/// Loaders of your own stand anywhere, unless they name a place, too.
public struct LoaderPlace: Sendable, Hashable {
    let rank: Int
    let name: String
    /// Whether more than one loader of the place makes sense in a chain.
    let mayRepeat: Bool

    private init(_ rank: Int, _ name: String, mayRepeat: Bool = false) {
        self.rank = rank
        self.name = name
        self.mayRepeat = mayRepeat
    }

    /// Completes requests from a server's environment.
    public static let environment = Self(0, "environment")
    /// Changes requests and responses.
    public static let modify = Self(1, "modify", mayRepeat: true)
    /// Tells of whole loads.
    public static let observe = Self(2, "log, metrics and spans of requests", mayRepeat: true)
    /// Limits the time of whole loads.
    public static let deadline = Self(3, "deadline")
    /// Lets loads of the same thing share one.
    public static let deduplicate = Self(4, "de-duplicate")
    /// Loads again what failed.
    public static let retry = Self(5, "retry")
    /// Follows redirects: behind retrying, so that an attempt begins at the first address.
    public static let redirect = Self(6, "redirect")
    /// Adds credentials: behind retrying and redirecting, so that each attempt and hop is judged and equipped anew.
    public static let authorize = Self(7, "authorize")
    /// Limits how many are under way: behind authorizing, so that who waits for a credential holds no permit.
    public static let throttle = Self(8, "throttle", mayRepeat: true)
    /// Limits how many begin in a time.
    public static let rateLimit = Self(9, "rate limit", mayRepeat: true)
    /// Limits the time of one sending: behind all waiting.
    public static let attemptTimeout = Self(10, "attempt timeout")
    /// Tells of each sending.
    public static let observeAttempts = Self(11, "log, metrics and spans of attempts", mayRepeat: true)
}

extension LoaderPlace: Comparable {
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
}

extension LoaderPlace: CustomStringConvertible {
    public var description: String { name }
}
