import OAuthProtocol

/// The sign-in of a session that only refreshes tokens. It always fails.
struct NoSignIn: SignInWay {
    var endpoints: Set<Endpoints.Name> { [] }

    func begin(at profile: ProviderProfile, for need: SignInNeed, watch: SignInWatch) async throws(SessionError) -> SignInProgress {
        throw SessionError(.signInNeeded, "this session only refreshes tokens; sign in elsewhere, and adopt the tokens")
    }
}
