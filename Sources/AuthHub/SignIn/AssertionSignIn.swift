import AuthHubPrimitives
import OAuthProtocol

/// A token for an assertion of another issuer: no page here (RFC 7523 §2.1).
struct AssertionSignIn: SignInWay {
    let client: OAuthClient
    let scope: Scope
    let target: AccessTarget
    let claims: ClaimsRequest
    let source: AssertionSource

    var endpoints: Set<Endpoints.Name> { [.token] }

    func begin(at profile: ProviderProfile, for need: SignInNeed, watch: SignInWatch) async throws(SessionError) -> SignInProgress {
        guard claims.isEmpty else { throw SessionError(.misconfigured, "claims can be requested only on a sign-in page; remove them") }
        try need.requireNoPage("a sign-in with an assertion")
        let scope = scope.union(need.scope)
        let assertion = try await source.assertion(
            AssertionSource.Need(profile: profile, clientID: client.id, scope: scope, resources: target.resources))
        if profile.protectedResource != nil { try Self.check(assertion, for: profile) }
        do throws(OAuthError) {
            var request = try TokenRequest.assertion(
                assertion, scope: scope, resources: target.resources, authorizationDetails: target.details, client: client, at: profile)
            request.takesRefreshToken = source.allowsRefresh
            return SignInProgress(granted: .success(.request(request)))
        } catch {
            throw SessionError(error)
        }
    }
}

extension AssertionSignIn {
    private static let largestDepth = 8

    /// Checks that an assertion is not for another server: one that an API named could use it there. A name that is not a URL can belong to
    /// any server.
    private static func check(_ assertion: Secret<String>, for profile: ProviderProfile) throws(SessionError) {
        let parts = assertion.reveal().split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64URL.decode(parts[1]),
            let claims = try? JSONValue(strict: bytes, maximumDepth: largestDepth)
        else { return }
        let audience = claims["aud"]?.array?.compactMap(\.string) ?? [claims["aud"]?.string].compactMap(\.self)
        let servers = [profile.metadata?.issuer ?? profile.issuer, profile.endpoints?.token].compactMap { $0.flatMap(Origin.init(url:)) }
        let origins = audience.compactMap(Origin.init(url:))
        guard origins.count == audience.count, !origins.isEmpty, Set(origins).isDisjoint(with: servers) else { return }
        let names = audience.map { displayable($0, limit: 200) }.joined(separator: ", ")
        throw SessionError(
            .securityCheckFailed, "the assertion is for \(names), not for \(profile.displayName), so it was not sent")
    }
}

/// Where the assertions of a session come from.
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

    /// Assertions of the user's identity provider (Identity Assertion Authorization Grant).
    static func identityProvider(_ source: IdentityAssertionSource) -> Self {
        AssertionSource(
            assertion: { need throws(SessionError) in
                guard let issuer = need.profile.metadata?.issuer ?? need.profile.issuer else {
                    throw SessionError(
                        .misconfigured, "\(need.profile.displayName) has no issuer, which an identity assertion must be for")
                }
                do {
                    let subject = try await source.subject()
                    let exchange = TokenExchange.identityAssertion(
                        of: subject, for: issuer, resources: need.resources, scope: need.scope)
                    let response = try await source.server.exchange(exchange, as: source.client)
                    return try response.identityAssertion(for: issuer, clientID: need.clientID, at: source.now())
                } catch {
                    throw SessionError(cause: error)
                }
            }, allowsRefresh: true)
    }
}
