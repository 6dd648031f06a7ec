/// The way an ``AuthorizerRouter`` selects the authorizer for a request.
public enum Authentication: Sendable, Hashable {
    /// The first authorizer that covers the request's origin.
    case automatic
    /// No authorizer: the request is sent without a credential, even to an origin that an authorizer covers.
    case none
    /// The authorizer with this name, if it covers the request's origin; otherwise the request is sent unchanged.
    case named(String)
}

extension Authentication: RequestOption {
    /// The authorizer of requests without this option: the first one that covers the request's origin.
    public static var defaultValue: Authentication { .automatic }

    /// Returns the value itself, so that requests with different authorizers are never coalesced.
    public static func identity(of value: Authentication) -> (any Hashable & Sendable)? {
        value == .automatic ? nil : value
    }
}
