/// Which authorizer of an ``AuthorizerRouter`` equips a request.
public enum Authentication: Sendable, Hashable {
    /// The first that covers the request's origin.
    case automatic
    /// None: the request goes without credentials, to origins that are covered, too.
    case none
    /// The one of this name, where it covers the request's origin; elsewhere the request goes as it is.
    case named(String)
}

extension Authentication: RequestOption {
    public static var defaultValue: Authentication { .automatic }

    /// Someone else's answer is another answer.
    public static func identity(of value: Authentication) -> (any Hashable & Sendable)? {
        value == .automatic ? nil : value
    }
}
