package import AuthHubPrimitives

extension OAuthSession {
    /// Takes the session's tokens out of what an API says: some repeat what they were sent.
    package var redaction: Redaction {
        let credential = engine.snapshot.held?.credential
        return Redaction([credential?.accessToken, credential?.refreshToken].compactMap { $0?.reveal() })
    }
}
