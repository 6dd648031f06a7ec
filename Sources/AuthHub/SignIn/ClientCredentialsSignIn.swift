import OAuthProtocol

/// A token for the program itself: no user, no page, no refresh token (RFC 6749 §4.4).
struct ClientCredentialsSignIn: SignInWay {
    let client: OAuthClient
    let scope: Scope
    let target: AccessTarget
    let claims: ClaimsRequest

    var endpoints: Set<Endpoints.Name> { [.token] }

    func begin(at profile: ProviderProfile, for need: SignInNeed, watch: SignInWatch) async throws(SessionError) -> SignInProgress {
        guard claims.isEmpty else { throw SessionError(.misconfigured, "claims can be requested only on a sign-in page; remove them") }
        try need.requireNoPage("a sign-in of the client itself")
        do throws(OAuthError) {
            let request = try TokenRequest.clientCredentials(
                scope: scope.union(need.scope), resources: target.resources, authorizationDetails: target.details, client: client,
                at: profile)
            return SignInProgress(granted: .success(.request(request)))
        } catch {
            throw SessionError(error)
        }
    }
}
