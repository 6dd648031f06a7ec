import AuthHubPrimitives
import Synchronization

extension TokenEndpoint {
    static let tokenExchangeGrantType = "urn:ietf:params:oauth:grant-type:token-exchange"

    private static let accessTokenType = "urn:ietf:params:oauth:token-type:access_token"
    private static let idTokenType = "urn:ietf:params:oauth:token-type:id_token"

    /// Returns another token for the same user (RFC 8693): an access token with the same scope or less, or an ID token, which is not an
    /// access token, as the response says.
    func exchangeToken(_ form: FormParameters, _ client: DevelopmentClient) throws(TokenError) -> IssuedTokens {
        if form["requested_token_type"] == Self.identityAssertionType { return try issueIdentityAssertion(form, client) }
        try checkAllowed(Self.tokenExchangeGrantType, to: client)
        let subject = try description("subject_token", in: form, isNeeded: true)
        let actor = try description("actor_token", in: form, isNeeded: false)
        guard let subject else { throw TokenError(code: .invalidRequest, description: "The subject_token is missing.") }
        let scope = form["scope"].map { $0.split(separator: " ").map(String.init) } ?? subject.scope
        guard Set(scope).isSubset(of: subject.scope) else {
            throw TokenError(code: .invalidScope, description: "The scope exceeds the scope of the subject_token.")
        }
        let grant = AuthorizationGrant(
            clientID: client.id, userID: subject.grant.userID, scope: scope, nonce: nil, authenticatedAt: subject.grant.authenticatedAt,
            sessionID: subject.grant.sessionID, contextClass: subject.grant.contextClass, mayBeRefreshed: false,
            resources: form.values(named: "resource") + form.values(named: "audience"))
        var tokens = issue(grant, to: client)
        if let actor { tokens.members["actor"] = .string(actor.grant.clientID) }
        switch form["requested_token_type"] ?? Self.accessTokenType {
        case Self.accessTokenType:
            tokens.members["issued_token_type"] = .string(Self.accessTokenType)
        case Self.idTokenType:
            guard let token = state.idToken(for: tokens, isRefresh: true) else {
                throw TokenError(code: .invalidRequest, description: "No ID token can be issued.")
            }
            tokens.members["access_token"] = .string(token)
            tokens.members["issued_token_type"] = .string(Self.idTokenType)
            tokens.members["token_type"] = "N_A"
        default: throw TokenError(code: .invalidRequest, description: "The requested_token_type is not supported.")
        }
        return tokens
    }

    /// Returns a token in the request, and its description.
    private func description(
        _ name: String, in form: FormParameters, isNeeded: Bool
    ) throws(TokenError) -> GrantLedger.Description? {
        guard let token = form[name] else {
            guard !isNeeded else { throw TokenError(code: .invalidRequest, description: "The \(name) is missing.") }
            return nil
        }
        guard form[name + "_type"] == Self.accessTokenType else {
            throw TokenError(code: .invalidRequest, description: "A \(name) must be an access token.")
        }
        guard let found = state.grants.withLock({ $0.description(ofToken: token, at: state.now) }), found.isAccessToken else {
            throw TokenError(code: .invalidRequest, description: "The \(name) is unknown, expired or revoked.")
        }
        return found
    }
}
