/// The redirects that a ``RedirectLoader`` follows for a request.
///
/// ```swift
/// request.options[RedirectScope.self] = .sameOrigin
/// ```
public enum RedirectScope: RequestOption, Sendable, Hashable {
    /// Redirects to any origin, without credentials and without a body. The default.
    case anyOrigin
    /// Only redirects within the request's origin, for responses that are trusted because of their sender, such as the one that says who is
    /// signed in.
    case sameOrigin

    /// The scope of requests without this option: redirects to any origin.
    public static var defaultValue: RedirectScope { .anyOrigin }

    /// Returns the value itself, so that requests with different scopes never share a response.
    public static func identity(of value: RedirectScope) -> (any Hashable & Sendable)? { value }
}
