/// The redirects that a ``RedirectLoader`` follows for a request.
///
/// ```swift
/// request.options[RedirectScope.self] = .sameOrigin
/// ```
public enum RedirectScope: RequestOption, Sendable, Hashable {
    /// Redirects to any origin. Requests to other origins carry no credentials and no body.
    case anyOrigin
    /// Only redirects within the request's origin. Use this if you trust a response only because a particular server sent it,
    /// such as a response that identifies the signed-in user.
    case sameOrigin

    /// The scope of requests without this option: any origin.
    public static var defaultValue: RedirectScope { .anyOrigin }

    /// Returns the value itself, so that requests with different scopes are never coalesced.
    public static func identity(of value: RedirectScope) -> (any Hashable & Sendable)? { value }
}
