import AuthHubPrimitives

extension TokenRequest {
    /// Asks whether the person has allowed it by now (RFC 8628 §3.4). When to ask, and what an answer means, ``DevicePolling`` says.
    ///
    /// - Throws: ``OAuthError`` with `.configuration` for an unusable endpoint, `.misuse` for a secret that is missing.
    public static func polling(
        for authorization: DeviceAuthorization, resources: [ResourceIndicator] = [], client: OAuthClient, at server: ProviderProfile
    ) throws(OAuthError) -> TokenRequest {
        let authentication = try ClientAuthentication(withOptionalSecretOf: client, at: server)
        var form: FormParameters = [
            "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": authorization.deviceCode.reveal(),
        ]
        form.append(resources: resources)
        let message = try BackChannelRequest(form: form, to: try server.url(of: .token), as: authentication)
        return TokenRequest(
            message: message, scope: authorization.scope,
            soleOrigin: MixUpDefence.soleOrigin(at: server, beginningAt: \.deviceAuthorization))
    }
}
