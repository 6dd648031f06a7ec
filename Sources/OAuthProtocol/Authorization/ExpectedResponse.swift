import AuthHubPrimitives

/// The response that a pending sign-in expects. It is fixed when the request is created, even if the profile has changed when the callback
/// arrives.
struct ExpectedResponse: Sendable, Hashable {
    var type = ResponseType.code
    var mode = ResponseMode.query
    /// Whether the response must have a `state`; false if the profile says that the provider echoes none.
    var needsState = true
    /// Whether the redirect URI is the provider's pin page, whose text the user pastes.
    var isPinned = false
    /// The type of a token in a callback without a type.
    var defaultTokenType: TokenType?
    /// The separators of the granted scope in a callback with a token.
    var grantedScopeSeparators: Set<Character> = [" "]
    /// The parameter that describes the user, next to a code; nil if the provider has none.
    var userParameter: String?

    static let codeInQuery = Self()
}

extension ExpectedResponse {
    /// - Throws: ``OAuthError`` with `.configuration` if a token would be returned in the query.
    init(from server: ProviderProfile, to redirectURI: String) throws(OAuthError) {
        let quirks = server.quirks.authorizationResponses
        type = quirks.responseType
        mode = quirks.effectiveMode
        guard !type.hasToken && !type.hasIDToken || mode != .query else {
            throw OAuthError(.configuration, "a token must not be requested in the query; servers would write it to their logs")
        }
        isPinned = quirks.pinPageWhoseTextIsAcceptedWithoutState.map { $0.hasSameBytes(as: redirectURI) } ?? false
        needsState = !isPinned && !quirks.acceptsResponsesWithoutStateBecauseTheProviderEchoesNone
        if type.hasCode { userParameter = quirks.userParameter }
        guard type.hasToken else { return }
        defaultTokenType = server.defaultTokenType
        grantedScopeSeparators = server.grantedScopeSeparators
    }

    /// Every response has at least one of these parameters.
    static let responseParameters = ["code", "error", "access_token", "id_token"]

    /// The parameters that are compared or used. In all others, which are only shown or ignored, U+FFFD replaces what cannot be decoded.
    static let exactParameters = ["code", "state", "iss", "response", "access_token", "id_token", "token_type"]

    /// The parameters that must not occur twice (RFC 6749 §3.1).
    var singleParameters: [String] {
        let always = ["code", "state", "iss", "error", "error_description", "error_uri", "response", "access_token", "id_token"]
        guard type.hasToken || userParameter != nil else { return always }
        return always + (type.hasToken ? ["token_type", "expires_in", "scope"] : []) + (userParameter.map { [$0] } ?? [])
    }

    /// The parameters that this response must not have: they were injected, or belong to another request (RFC 9700 §2.1.2, §4.6).
    var foreignParameters: [String] {
        switch type {
        case .code: ["access_token", "id_token", "token_type", "response"]
        case .token: ["code", "id_token", "response"]
        case .idTokenToken: ["code", "response"]
        case .codeIDToken: ["access_token", "token_type", "response"]
        case .codeToken: ["id_token", "response"]
        case .codeIDTokenToken: ["response"]
        }
    }
}

extension ProviderProfile {
    /// Checks that the provider's responses reach a web server, and that each belongs to one sign-in.
    ///
    /// - Throws: ``OAuthError`` with `.configuration`.
    package func requireResponsesForWebServers(at redirectURI: String) throws(OAuthError) {
        let response = try ExpectedResponse(from: self, to: redirectURI)
        guard response.type.hasCode, response.mode != .fragment else {
            throw OAuthError(.configuration, "the provider responds in the fragment of the URL, which browsers do not send to servers")
        }
        // Without a state, anyone could send a browser the callback of another user's sign-in (RFC 6749 §10.12).
        guard response.needsState else {
            throw OAuthError(.configuration, "the provider's responses have no state, so a web server cannot tell whose they are")
        }
    }
}
