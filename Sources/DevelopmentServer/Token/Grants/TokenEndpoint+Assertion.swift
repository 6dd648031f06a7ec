import AuthHubPrimitives
import Platform
import Synchronization

/// Tokens for an assertion of a user or a workload (RFC 7523 §2.1).
extension TokenEndpoint {
    static let assertionGrantType = "urn:ietf:params:oauth:grant-type:jwt-bearer"

    /// Returns tokens for an assertion that this server, the client or a trusted issuer has signed.
    func acceptAssertion(_ form: FormParameters, _ client: DevelopmentClient) throws(TokenError) -> IssuedTokens {
        guard let text = form["assertion"] else { throw TokenError(code: .invalidRequest, description: "The assertion is missing.") }
        guard let token = CompactToken(text), isTrusted(token, client), isForThisServer(token.claims),
            token.claims["exp"]?.number?.int64.map({ $0 > Int64(state.now.timeIntervalSince1970) }) ?? false,
            let subject = token.claims["sub"]?.string
        else { throw TokenError(code: .invalidGrant, description: "The assertion is not valid, or not for this server.") }
        let isIdentity = token.header["typ"]?.string == Self.identityAssertionHeader
        guard !isIdentity || (client.isConfidential && token.claims["client_id"] == .string(client.id)) else {
            throw TokenError(code: .invalidGrant, description: "The assertion is for another client.")
        }
        let scope = try scope(in: form)
        let allowed = isIdentity ? token.claims["scope"]?.string?.split(separator: " ").map(String.init) ?? [] : scope
        guard Set(scope).isSubset(of: allowed) else {
            throw TokenError(code: .invalidScope, description: "The scope exceeds that of the assertion.")
        }
        let grant = AuthorizationGrant(
            clientID: client.id, userID: isIdentity ? Int(subject) ?? AuthorizationGrant.nobody : AuthorizationGrant.nobody, scope: scope,
            nonce: nil, authenticatedAt: state.now, mayBeRefreshed: false, resources: form.values(named: "resource"))
        return issue(grant, to: client)
    }

    private func isForThisServer(_ claims: JSONObject) -> Bool {
        claims["aud"] == .string(state.issuer) || claims["aud"] == .array([.string(state.issuer)])
    }

    private func isTrusted(_ token: CompactToken, _ client: DevelopmentClient) -> Bool {
        guard let issuer = token.claims["iss"]?.string else { return false }
        if issuer == state.issuer { return state.isOwn(token) }
        let keys = issuer == client.id ? client.publicKeys : state.configuration.trustedIssuers[issuer] ?? []
        return keys.contains { VerificationKey($0)?.isSigner(of: token) ?? false }
    }
}

/// Identity assertions for servers that trust this one (Identity Assertion JWT Authorization Grant).
extension TokenEndpoint {
    static let identityAssertionType = "urn:ietf:params:oauth:token-type:id-jag"
    static let identityAssertionHeader = "oauth-id-jag+jwt"
    private static let idTokenType = "urn:ietf:params:oauth:token-type:id_token"
    private static let lifetime: Int64 = 300

    /// Returns an identity assertion for the user of an ID token that this server issued to the client. The client has the same ID at the
    /// other server.
    func issueIdentityAssertion(_ form: FormParameters, _ client: DevelopmentClient) throws(TokenError) -> IssuedTokens {
        try checkAllowed(Self.tokenExchangeGrantType, to: client)
        guard let audience = form["audience"], form.values(named: "audience").count == 1 else {
            throw TokenError(code: .invalidRequest, description: "There must be one audience.")
        }
        let now = Int64(state.now.timeIntervalSince1970)
        guard form["subject_token_type"] == Self.idTokenType, let claims = form["subject_token"].flatMap({ state.claims(ofToken: $0) }),
            claims["aud"] == .string(client.id) || claims["aud"] == .array([.string(client.id)]),
            claims["exp"]?.number?.int64.map({ $0 > now }) ?? false, let subject = claims["sub"]?.string
        else {
            throw TokenError(code: .invalidGrant, description: "The subject_token is not a valid ID token of this client.")
        }
        let flaw = state.openIDConnect.withLock(\.identityAssertionFlaw)
        var assertion = JSONObject()
        assertion["iss"] = .string(state.issuer)
        assertion["sub"] = .string(subject)
        assertion["aud"] =
            switch flaw {
            case .otherAudience: "https://other.example"
            case .severalAudiences: [.string(audience), "https://other.example"]
            default: .string(audience)
            }
        assertion["client_id"] = .string(flaw == .otherClient ? "other" : client.id)
        assertion["jti"] = .string(Base64URL.encode(randomBytes(count: 12)))
        assertion["iat"] = .number(JSONNumber(now))
        assertion["exp"] = .number(JSONNumber(flaw == .expired ? now - 1 : now + Self.lifetime))
        assertion["scope"] = form["scope"].map { .string($0) }
        assertion["resource"] = form["resource"].map { .string($0) }
        guard
            let text = state.signer(.es256, for: nil)?.token(
                assertion, type: flaw == .otherType ? "JWT" : Self.identityAssertionHeader)
        else { throw TokenError(code: .invalidRequest, description: "No assertion can be signed.") }
        let grant = AuthorizationGrant(
            clientID: client.id, userID: AuthorizationGrant.nobody, scope: [], nonce: nil, authenticatedAt: state.now,
            mayBeRefreshed: false)
        var tokens = issue(grant, to: client)
        tokens.members["access_token"] = .string(text)
        tokens.members["issued_token_type"] = .string(Self.identityAssertionType)
        tokens.members["token_type"] = "N_A"
        return tokens
    }
}
