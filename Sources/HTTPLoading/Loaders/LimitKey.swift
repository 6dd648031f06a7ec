package import AuthHubPrimitives

/// A group of requests that a limit counts together.
package enum LimitKey: Sendable, Hashable {
    /// All requests to which no other key applies.
    case everything
    /// All requests to one server.
    case origin(Origin)
    /// All requests with the same named key; see ``ThrottleKey`` and ``RateLimitKey``.
    case named(String)
}

/// The way a loader groups the requests that have no key of their own. Each group has its own limit.
///
/// By default, a ``ThrottleLoader`` counts all requests of a chain together, because its limit protects this machine. A ``RateLimitLoader``
/// counts the requests to each origin separately, because servers define the rates.
public enum LimitScope: Sendable, Hashable {
    /// One group for all requests of a chain.
    case chain
    /// A group for each origin. Requests without a valid origin form one group; they cannot be sent anyway.
    case origin
}

extension LimitScope {
    func key(of request: LoadRequest, named name: String?) -> LimitKey {
        if let name { return .named(name) }
        switch self {
        case .chain: return .everything
        case .origin: return Origin(request.head).map { .origin($0) } ?? .everything
        }
    }
}
