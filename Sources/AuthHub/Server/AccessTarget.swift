public import OAuthProtocol

/// The APIs that a session requests tokens for, and authorization details (RFC 9396), in addition to its scope.
public struct AccessTarget: Sendable, Hashable {
    /// The URLs of the APIs. Every request for tokens contains these URLs, including refreshes, device authorization requests and device
    /// token requests (RFC 8707 §2). None by default.
    public var resources: [ResourceIndicator]
    /// The authorization details to request when a sign-in begins (RFC 9396); nil for none.
    public var details: AuthorizationDetails?

    /// Creates a target. By default, a target adds nothing to requests.
    public init(resources: [ResourceIndicator] = [], details: AuthorizationDetails? = nil) {
        self.resources = resources
        self.details = details
    }
}
