public import AuthHubPrimitives
public import HTTPTypes

extension Origin {
    /// Creates the origin that a request is sent to; nil if the request does not have a valid scheme and authority.
    public init?(_ head: HTTPRequest) {
        guard let scheme = head.scheme, let authority = head.authority else { return nil }
        self.init(scheme: scheme, authority: authority)
    }
}

extension RequestTarget {
    /// Creates the absolute target of a request; nil if it has no scheme or authority, or if a part of it is malformed.
    package init?(_ head: HTTPRequest) {
        guard let scheme = head.scheme, let authority = head.authority else { return nil }
        self.init(scheme: scheme, authority: authority, path: head.path ?? "/")
    }
}

extension HTTPRequest {
    /// Sets scheme, authority and path together.
    mutating func setTarget(_ target: RequestTarget) {
        scheme = target.scheme
        authority = target.authority
        path = target.path
    }
}
