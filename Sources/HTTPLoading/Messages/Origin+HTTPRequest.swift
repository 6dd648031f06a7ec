public import AuthHubPrimitives
public import HTTPTypes

extension Origin {
    /// The origin a request goes to; nil while the request has no scheme or authority.
    public init?(_ head: HTTPRequest) {
        guard let scheme = head.scheme, let authority = head.authority else { return nil }
        self.init(scheme: scheme, authority: authority)
    }
}
