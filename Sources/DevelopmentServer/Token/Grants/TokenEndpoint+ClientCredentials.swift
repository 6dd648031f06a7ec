import AuthHubPrimitives
import Synchronization

extension TokenEndpoint {
    /// Returns a token for the client itself (RFC 6749 §4.4), without a refresh token.
    func clientCredentials(_ form: FormParameters, _ client: DevelopmentClient) throws(TokenError) -> IssuedTokens {
        try checkAllowed("client_credentials", to: client)
        let scope = try self.scope(in: form)
        let grant = AuthorizationGrant(
            clientID: client.id, userID: AuthorizationGrant.nobody, scope: scope, nonce: nil, authenticatedAt: state.now,
            mayBeRefreshed: false, resources: form.values(named: "resource"), details: try details(in: form))
        return issue(grant, to: client)
    }

    /// Checks whether a client may use a grant: only authenticated clients, and self-registered ones only if they registered the grant.
    func checkAllowed(_ grantType: String, to client: DevelopmentClient) throws(TokenError) {
        let registered = state.registered.withLock { $0[client.id] }?.metadata["grant_types"]?.array
        guard client.isConfidential, registered?.contains(.string(grantType)) ?? true else {
            throw TokenError(code: .unauthorizedClient, description: "This client may not use this grant.", occasion: .grantType)
        }
    }

    func scope(in form: FormParameters) throws(TokenError) -> [String] {
        let scope = (form["scope"] ?? "").split(separator: " ").map(String.init)
        guard scope.allSatisfy(state.persona.scopes.contains), !scope.contains("openid"), !scope.contains("offline_access") else {
            throw TokenError(code: .invalidScope, description: "A scope is unknown or only for users.")
        }
        return scope
    }

    func issue(_ grant: AuthorizationGrant, to client: DevelopmentClient) -> IssuedTokens {
        let style = TokenStyle(state.persona.tokens(for: client), lifetimes: state.configuration.lifetimes)
        return state.grants.withLock { $0.issue(for: grant, style: style, at: state.now) }
    }
}
