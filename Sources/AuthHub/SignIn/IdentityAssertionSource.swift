import AuthHubPrimitives
public import OAuthProtocol
import Platform

/// An identity provider that vouches for its users at other authorization servers (Identity Assertion JWT Authorization Grant).
///
/// An organization decides at its identity provider which programs may act for its users at which servers. A sign-in has two steps: the
/// identity provider exchanges the user's ID token for an assertion, and the other server exchanges that for an access token. The assertion
/// is checked, used once, and never stored.
public struct IdentityAssertionSource: Sendable {
    /// The provider's issuer, or else its name.
    let name: String
    let server: AuthorizationServer
    let client: OAuthClient
    let subject: @Sendable () async throws -> TokenExchange.TypedToken
    let now: @Sendable () -> Date

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - provider: The identity provider.
    ///   - client: The program's client at the identity provider.
    ///   - dependencies: The network, the clock and the logger.
    ///   - subject: Returns the user's ID token or refresh token of the identity provider. Called for each sign-in.
    public init(
        at provider: ProviderProfile, as client: OAuthClient, dependencies: Dependencies,
        subject: @escaping @Sendable () async throws -> TokenExchange.TypedToken
    ) {
        name = displayable(provider.issuer ?? provider.displayName, limit: 200)
        server = AuthorizationServer(provider, dependencies: dependencies)
        self.client = client
        self.subject = subject
        now = dependencies.now
    }
}
