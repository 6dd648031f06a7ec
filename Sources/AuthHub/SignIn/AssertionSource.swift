import AuthHubPrimitives
import OAuthProtocol

/// The source of a session's assertions.
struct AssertionSource: Sendable {
    /// What an assertion is needed for.
    struct Need: Sendable {
        let profile: ProviderProfile
        let clientID: String
        let scope: Scope
        let resources: [ResourceIndicator]
    }

    /// Returns an assertion, which is used once and never stored.
    let assertion: @Sendable (Need) async throws(SessionError) -> Secret<String>
    /// Whether a refresh token that the server issues for an assertion is used.
    let allowsRefresh: Bool
}

extension AssertionSource {
    /// Assertions that the program reads, such as those that a platform writes into a file for its workloads.
    static func program(_ read: @escaping @Sendable () async throws -> Secret<String>) -> Self {
        AssertionSource(
            assertion: { _ throws(SessionError) in
                do {
                    return try await read()
                } catch let error as SessionError {
                    throw error
                } catch {
                    throw SessionError(.misconfigured, "the assertion could not be read", underlying: error)
                }
            }, allowsRefresh: false)
    }

    /// Assertions of the user's identity provider (Identity Assertion JWT Authorization Grant).
    static func identityProvider(_ source: IdentityAssertionSource) -> Self {
        AssertionSource(
            assertion: { need throws(SessionError) in
                guard let issuer = need.profile.metadata?.issuer ?? need.profile.issuer else {
                    throw SessionError(
                        .misconfigured, "\(need.profile.displayName) has no issuer, so no identity assertion can be requested for it")
                }
                do {
                    let subject = try await source.subject()
                    let exchange = TokenExchange.identityAssertion(
                        of: subject, for: issuer, resources: need.resources, scope: need.scope)
                    let response = try await source.server.exchange(exchange, as: source.client)
                    return try response.identityAssertion(for: issuer, clientID: need.clientID, at: source.now())
                } catch {
                    let error = SessionError(cause: error)
                    throw SessionError(
                        error.code, "the identity provider \(source.name): \(error.explanation)", serverError: error.serverError,
                        underlying: IdentityProviderError(underlying: error))
                }
            }, allowsRefresh: true)
    }
}

/// The underlying error if an identity provider has not issued an assertion.
package struct IdentityProviderError: Error {
    package let underlying: any Error
}
