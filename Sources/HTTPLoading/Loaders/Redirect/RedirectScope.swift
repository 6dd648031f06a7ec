/// Which redirects of a request a ``RedirectLoader`` follows.
///
/// ```swift
/// request.options[RedirectScope.self] = .sameOrigin
/// ```
public enum RedirectScope: RequestOption, Sendable, Hashable {
    /// To any origin, without credentials and without a body. The default.
    case anyOrigin
    /// Within the request's origin only: for responses that are believed because of who sent them, such as the one that says who is
    /// signed in.
    case sameOrigin

    public static var defaultValue: RedirectScope { .anyOrigin }

    public static func identity(of value: RedirectScope) -> (any Hashable & Sendable)? { value }
}
