package import AuthHubPrimitives

extension OAuthSession {
    /// Removes the session's tokens from an API's error messages: some APIs repeat the request.
    package var redaction: Redaction {
        let credential = engine.snapshot.held?.credential
        return Redaction([credential?.accessToken, credential?.refreshToken].compactMap { $0?.reveal() })
    }
}
