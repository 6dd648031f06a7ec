public import AuthHubPrimitives

/// What a limit counts together.
public enum LimitKey: Sendable, Hashable {
    /// All that has no key of its own.
    case everything
    /// What goes to one server.
    case origin(Origin)
    /// What names the same key; see ``ThrottleKey`` and ``RateLimitKey``.
    case named(String)
}

/// How a loader tells the requests apart that it limits, where they name no key themselves.
///
/// A ``ThrottleLoader`` counts a whole chain without it, which protects this machine; a ``RateLimitLoader`` each origin, because rates are
/// the servers'.
public enum LimitScope: Sendable, Hashable {
    /// Not at all: all of a chain are counted together.
    case chain
    /// By their origins. Those without a proper one, which cannot be sent anyway, are counted together.
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
