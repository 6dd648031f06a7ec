import OAuthProtocol

/// What a session does that only refreshes tokens.
struct NoSignIn: SignInWay {
    var endpoints: Set<Endpoints.Name> { [] }

    func begin(at profile: ProviderProfile, for need: SignInNeed, watch: SignInWatch) async throws(SessionError) -> SignInProgress {
        throw SessionError(.signInNeeded, "this session only refreshes tokens; sign in elsewhere, and adopt the tokens")
    }
}
