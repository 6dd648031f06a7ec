extension PendingAuthorization {
    /// The requirements for the ID token of this sign-in; nil if none is expected.
    package func idToken(for client: OAuthClient, at server: ProviderProfile) -> IDTokenExpectation? {
        var expectation = IDTokenExpectation(
            scope: scope, nonce: nonce, maximumAge: maximumAge, acrValues: acrValues, subjects: subjects, client: client, at: server)
        if !response.type.hasCode { expectation?.hashesRequired = [.accessToken] }
        return expectation
    }
}

extension AuthorizationCode {
    /// The requirements for the ID token in the callback, next to this code (OpenID Connect Core 1.0 §3.3.2.11).
    package func idTokenInCallback(for client: OAuthClient, at server: ProviderProfile) -> IDTokenExpectation? {
        var expectation = pending.idToken(for: client, at: server)
        expectation?.code = value
        expectation?.state = pending.state
        expectation?.hashesRequired = accessToken == nil ? [.code] : [.code, .accessToken]
        return expectation
    }
}
