public import OAuthProtocol

/// What the tokens of a session are for, beyond its scope.
public struct AccessTarget: Sendable, Hashable {
    /// The APIs, by their addresses: named in every request for tokens, refreshes included (RFC 8707 §2).
    public var resources: [ResourceIndicator]
    /// The access in detail (RFC 9396): asked for when a sign-in begins.
    public var details: AuthorizationDetails?

    public init(resources: [ResourceIndicator] = [], details: AuthorizationDetails? = nil) {
        self.resources = resources
        self.details = details
    }
}
