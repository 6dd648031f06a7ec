package import AuthHubPrimitives

extension OAuthSession {
    /// Removes the session's tokens and the client secret from text that an API returned, because some APIs repeat the request.
    package var redaction: Redaction {
        let credential = engine.snapshot.held?.credential
        let secrets = [credential?.accessToken, credential?.refreshToken, engine.configuration.client.secret]
        return Redaction(secrets.compactMap { $0?.reveal() })
    }
}
