public import OAuthProtocol

/// What the tokens of a session are for, beyond its scope.
public struct AccessTarget: Sendable, Hashable {
    /// The APIs, by their URLs: every request for tokens names them, including refreshes, device authorization requests and device token
    /// requests (RFC 8707 §2). None by default.
    public var resources: [ResourceIndicator]
    /// The access in detail (RFC 9396), which is requested when a sign-in begins; nil for none.
    public var details: AuthorizationDetails?

    /// Creates a target; by default, one that limits nothing.
    public init(resources: [ResourceIndicator] = [], details: AuthorizationDetails? = nil) {
        self.resources = resources
        self.details = details
    }
}
