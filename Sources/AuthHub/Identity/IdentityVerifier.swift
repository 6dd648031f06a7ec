import OAuthProtocol

/// Verifies the ID tokens that the server issues together with access tokens.
struct IdentityVerifier: Sendable {
    let keys: ServerKeys

    init(client: OAuthClient, backChannel: BackChannel) {
        keys = ServerKeys(client: client, backChannel: backChannel)
    }

    /// Reads the keys that an ID token will be verified with, unless they are cached. Called before the request that spends a code or a
    /// refresh token, because nothing may go wrong afterwards.
    func prepare(for expectation: IDTokenExpectation?, at profile: ProviderProfile) async throws(SessionError) {
        if expectation != nil { try await keys.prepare(at: profile) }
    }

    /// Verifies the ID token of a response.
    ///
    /// - Returns: nil if there is none and none is needed.
    /// - Throws: ``SessionError``: `.securityCheckFailed` if the ID token is missing or not valid; another code if the keys cannot be read.
    ///   Its `underlying` is an `OAuthError` with the tokens of the response.
    func verify(
        _ response: TokenResponse, meeting expectation: IDTokenExpectation?, at profile: ProviderProfile,
        on occasion: IDTokenExpectation.Occasion = .signIn
    ) async throws(SessionError) -> IDToken? {
        guard let expectation, response.hasIDToken || !occasion.isRefresh else { return nil }
        do throws(SessionError) {
            return try await keys.validate(at: profile) { keys throws(OAuthError) in
                try response.idToken(meeting: expectation, keys: keys, on: occasion, at: self.keys.backChannel.now())
            }
        } catch {
            guard (error.underlying as? OAuthError)?.issued == nil else { throw error }
            let cause = OAuthError(.invalidResponse, error.explanation, underlying: error)
            throw SessionError(error.code, error.explanation, underlying: response.rejected(because: cause))
        }
    }
}
