/// A position in the order of the loaders of a ``Chain``, from the outermost to the innermost.
///
/// A loader that does not declare a position can be anywhere.
public struct LoaderPosition: Sendable, Hashable {
    let rank: Int
    let name: String
    /// Whether a chain can have more than one loader in this position.
    let mayRepeat: Bool

    private init(_ rank: Int, _ name: String, mayRepeat: Bool = false) {
        self.rank = rank
        self.name = name
        self.mayRepeat = mayRepeat
    }

    /// The position of loaders that add the base URL and the defaults of a server environment.
    public static let environment = Self(0, "environment")
    /// The position of loaders that change requests and responses.
    public static let modify = Self(1, "modify", mayRepeat: true)
    /// The position of loaders that observe whole requests.
    public static let observe = Self(2, "log, metrics and spans of requests", mayRepeat: true)
    /// The position of loaders that limit the time of whole requests.
    public static let deadline = Self(3, "deadline")
    /// The position of loaders that coalesce equal requests.
    public static let deduplicate = Self(4, "de-duplicate")
    /// The position of loaders that retry failed attempts.
    public static let retry = Self(5, "retry")
    /// The position of loaders that follow redirects: after the retry loader, so that each attempt starts at the original URL.
    public static let redirect = Self(6, "redirect")
    /// The position of loaders that add credentials: after the retry and redirect loaders, so that each attempt and hop is checked and
    /// authorized separately.
    public static let authorize = Self(7, "authorize")
    /// The position of loaders that limit concurrency: after the authorize loader, so that a request does not hold a permit while it waits for
    /// a credential.
    public static let throttle = Self(8, "throttle", mayRepeat: true)
    /// The position of loaders that limit the number of requests per period.
    public static let rateLimit = Self(9, "rate limit", mayRepeat: true)
    /// The position of loaders that limit the time of one attempt: after all loaders that may wait.
    public static let attemptTimeout = Self(10, "attempt timeout")
    /// The position of loaders that observe each attempt.
    public static let observeAttempts = Self(11, "log, metrics and spans of attempts", mayRepeat: true)
}

extension LoaderPosition: Comparable {
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
}

extension LoaderPosition: CustomStringConvertible {
    public var description: String { name }
}
