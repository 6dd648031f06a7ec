package import AuthHubPrimitives

extension OAuthSession {
    /// Removes the session's tokens and the client secret from text that an API returned, because some APIs repeat the request.
    package var redaction: Redaction {
        let credential = engine.snapshot.held?.credential
        let secrets = (credential?.secrets ?? []) + [engine.configuration.client.secret].compactMap(\.self)
        return Redaction(secrets.map { $0.reveal() })
    }
}
