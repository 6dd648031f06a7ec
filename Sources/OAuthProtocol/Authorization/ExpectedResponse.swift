import AuthHubPrimitives

/// What a pending sign-in has agreed on with its provider: settled when its page is shown, and what its callback is held to, whatever
/// the profile says by then.
struct ExpectedResponse: Sendable, Hashable {
    var type = ResponseType.code
    var mode = ResponseMode.query
    /// False where the profile says that the provider echoes none.
    var needsState = true
    /// Whether the redirect URI is the provider's pin page, whose text a person pastes.
    var isPinned = false
    /// Of tokens in the callback that come without a type.
    var defaultTokenType: TokenType?
    /// Between the scopes that a callback with a token says were granted.
    var grantedScopeSeparators: Set<Character> = [" "]

    static let codeInQuery = Self()
}

extension ExpectedResponse {
    /// - Throws: ``OAuthError`` with `.configuration` where a token would come in the query.
    init(from server: ProviderProfile, to redirectURI: String) throws(OAuthError) {
        let quirks = server.quirks.authorizationResponses
        type = quirks.responseType
        mode = quirks.effectiveMode
        guard type == .code || mode != .query else {
            throw OAuthError(.configuration, "a token must not be requested in the query; servers would write it to their logs")
        }
        isPinned = quirks.pinPageWhoseTextIsAcceptedWithoutState.map { $0.hasSameBytes(as: redirectURI) } ?? false
        needsState = !isPinned && !quirks.acceptsResponsesWithoutStateBecauseTheProviderEchoesNone
        guard type == .token else { return }
        defaultTokenType = server.defaultTokenType
        grantedScopeSeparators = server.grantedScopeSeparators
    }

    /// What makes a callback an answer.
    static let responseParameters = ["code", "error", "access_token"]

    /// Of which none may occur twice (RFC 6749 §3.1).
    var singleParameters: [String] {
        let always = ["code", "state", "iss", "error", "error_description", "error_uri", "response", "access_token", "id_token"]
        return type == .token ? always + ["token_type", "expires_in", "scope"] : always
    }

    /// What has no place in this response: it was slipped in, or the server answers another request (RFC 9700 §2.1.2, §4.6).
    var foreignParameters: [String] {
        switch type {
        case .code: ["access_token", "id_token", "token_type", "response"]
        case .token: ["code", "id_token", "response"]
        }
    }
}
