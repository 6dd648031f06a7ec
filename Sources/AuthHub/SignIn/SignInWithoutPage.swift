import AuthHubPrimitives
import OAuthProtocol

/// A sign-in without a page: by the client itself (RFC 6749 §4.4), or with an assertion of another issuer (RFC 7523 §2.1).
struct SignInWithoutPage: SignInWay, SessionPart {
    let context: SessionContext
    /// The source of the assertions; nil if the client signs in itself.
    let source: AssertionSource?

    var endpoints: Set<Endpoints.Name> { [.token] }

    func begin(at profile: ProviderProfile, for need: SignInNeed, watch: SignInWatch) async throws(SessionError) -> SignInProgress {
        guard claims.isEmpty else { throw SessionError(.misconfigured, "claims can be requested only on a sign-in page; remove them") }
        try need.requireNoPage(source == nil ? "a sign-in of the client itself" : "a sign-in with an assertion")
        let scope = scope.union(need.scope)
        guard let source else {
            return try progress { () throws(OAuthError) in
                try TokenRequest.clientCredentials(
                    scope: scope, resources: target.resources, authorizationDetails: target.details, client: client, at: profile)
            }
        }
        let assertion = try await source.assertion(
            AssertionSource.Need(profile: profile, clientID: client.id, scope: scope, resources: target.resources))
        if profile.isNamedByResource { try check(assertion, for: profile) }
        return try progress { () throws(OAuthError) in
            var request = try TokenRequest.assertion(
                assertion, scope: scope, resources: target.resources, authorizationDetails: target.details, client: client, at: profile)
            request.takesRefreshToken = source.allowsRefresh
            return request
        }
    }

    private func progress(_ request: () throws(OAuthError) -> TokenRequest) throws(SessionError) -> SignInProgress {
        do throws(OAuthError) {
            return SignInProgress(granted: .success(.request(try request())))
        } catch {
            throw SessionError(error)
        }
    }

    /// Checks that an assertion is only for a server that a resource has named: with any other audience, the server could use it elsewhere.
    private func check(_ assertion: Secret<String>, for profile: ProviderProfile) throws(SessionError) {
        let audience = UnverifiedAssertion(assertion)?.audience ?? []
        let issuer = profile.metadata?.issuer ?? profile.issuer
        guard audience.isEmpty || !audience.allSatisfy({ issuer?.hasSameBytes(as: $0) ?? false }) else { return }
        let names = audience.isEmpty ? "any server" : audience.map { displayable($0, limit: 200) }.joined(separator: ", ")
        throw SessionError(
            .securityCheckFailed,
            "the assertion was not sent: it is for \(names), but only the resource names the server "
                + "\(displayable(issuer ?? profile.displayName, limit: 200)), so it must be only for that server; "
                + "confirm the issuer to send it anyway")
    }
}
