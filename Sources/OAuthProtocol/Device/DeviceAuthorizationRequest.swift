package import AuthHubPrimitives

/// A request for a code that the user enters on another device (RFC 8628 §3.1).
package struct DeviceAuthorizationRequest: Sendable {
    /// The HTTP request.
    package let message: BackChannelRequest
    /// The requested scope, which a token response without a scope grants (RFC 6749 §5.1).
    package let scope: Scope

    /// - Parameters:
    ///   - resources: The APIs that the tokens are for (RFC 8707 §2).
    ///   - authorizationDetails: The access to request in detail (RFC 9396 §2).
    ///   - parameters: Additional parameters, such as `audience`, but none that the request itself sets.
    /// - Throws: ``OAuthError``: `.misuse` if the client ID is empty, a parameter is one that the request sets, or a secret is missing;
    ///   `.configuration` if the server has no usable device authorization endpoint.
    package init(
        to server: ProviderProfile, client: OAuthClient, scope: Scope, resources: [ResourceIndicator] = [],
        authorizationDetails: AuthorizationDetails? = nil, parameters: FormParameters = [:]
    ) throws(OAuthError) {
        guard !client.id.isEmpty else { throw OAuthError(.misuse, "the client ID is empty") }
        let endpoint = try server.url(of: .deviceAuthorization)
        try MixUpDefence.checkDevice(server)
        var form = FormParameters()
        form.append(scope, at: server)
        form.append(resources: resources, details: authorizationDetails)
        for parameter in (server.quirks.requests.parameters[.deviceAuthorization]?.parameters ?? []) + parameters.parameters {
            guard form[parameter.name] == nil, !Self.ownNames.contains(parameter.name) else {
                throw OAuthError(.misuse, "the parameter \(displayable(parameter.name, limit: 60)) is already set by the request")
            }
            form.append(parameter.name, parameter.value)
        }
        message = try BackChannelRequest(
            form: form, to: endpoint, as: ClientAuthentication(withOptionalSecretOf: client, at: server))
        self.scope = scope
    }

    private static let ownNames: Set<String> = ["client_id", "client_secret", "scope"]
}
