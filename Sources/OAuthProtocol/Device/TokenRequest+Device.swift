import AuthHubPrimitives

extension TokenRequest {
    /// Polls for the tokens of a device authorization (RFC 8628 §3.4). ``DevicePolling`` says when to poll and what a response means.
    ///
    /// - Throws: ``OAuthError`` with `.configuration` if the endpoint is unusable, `.misuse` if a secret is missing.
    package static func polling(
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
            soleOrigin: MixUpDefence.soleOrigin(at: server, beginningAt: \.deviceAuthorization),
            idToken: IDTokenExpectation(scope: authorization.scope, client: client, at: server))
    }
}
