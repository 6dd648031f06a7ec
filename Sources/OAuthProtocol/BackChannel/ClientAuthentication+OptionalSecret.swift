extension ClientAuthentication {
    /// Chooses the method as for other requests, except that a client without a secret sends only its ID if the provider allows that for
    /// devices.
    init(withOptionalSecretOf client: OAuthClient, at server: ProviderProfile) throws(OAuthError) {
        var client = client
        if client.secret == nil, server.quirks.requests.devicesNeedNoClientSecret {
            client.authentication = ClientAuthenticationMethod.none
        }
        try self.init(client, at: server)
    }
}
