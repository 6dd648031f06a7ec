public import AuthHubPrimitives
public import HTTPTypes

extension Origin {
    /// The origin a request goes to; nil while the request has no proper scheme or authority.
    public init?(_ head: HTTPRequest) {
        guard let scheme = head.scheme, let authority = head.authority else { return nil }
        self.init(scheme: scheme, authority: authority)
    }
}

extension RequestTarget {
    /// The absolute target of a request; nil while it has no scheme or authority, and where one of its parts is malformed.
    public init?(_ head: HTTPRequest) {
        guard let scheme = head.scheme, let authority = head.authority else { return nil }
        self.init(scheme: scheme, authority: authority, path: head.path ?? "/")
    }
}

extension HTTPRequest {
    /// Scheme, authority and path at once.
    mutating func setTarget(_ target: RequestTarget) {
        scheme = target.scheme
        authority = target.authority
        path = target.path
    }
}
