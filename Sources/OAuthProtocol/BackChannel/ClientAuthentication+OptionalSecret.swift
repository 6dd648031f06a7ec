extension ClientAuthentication {
    /// Decides as for other requests, but that a client without a secret sends its id alone where the provider allows that to devices.
    init(withOptionalSecretOf client: OAuthClient, at server: ProviderProfile) throws(OAuthError) {
        var client = client
        if client.secret == nil, server.quirks.requests.devicesNeedNoClientSecret {
            client.authentication = ClientAuthenticationMethod.none
        }
        try self.init(client, at: server)
    }
}
