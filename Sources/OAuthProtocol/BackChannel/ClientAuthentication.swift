import AuthHubPrimitives
import HTTPTypes

/// How a client authenticates at the token endpoint. The method is chosen before anything is sent, never by trial and error.
package struct ClientAuthentication: Sendable {
    let clientID: String
    let method: ClientAuthenticationMethod
    let secret: Secret<String>?
    let quirks: ProviderQuirks.RequestQuirks
    /// What the client signs for each request; nil if the method is without a signature.
    let assertion: ClientAssertion?

    /// Chooses the method for a client at a server: the client's own; otherwise the profile's; otherwise one from the metadata.
    ///
    /// - Throws: ``OAuthError`` with `.configuration` if the server accepts none of the client's methods, and `.misuse` if the method
    ///   needs a secret and the client has none.
    package init(_ client: OAuthClient, at server: ProviderProfile) throws(OAuthError) {
        let method: ClientAuthenticationMethod =
            if client.authentication == nil, client.secret == nil, server.quirks.requests.clientWithoutSecret != nil {
                .none
            } else if let chosen = client.authentication ?? server.clientAuthentication {
                chosen
            } else {
                try Self.suggested(client, by: server.metadata)
            }
        guard ClientAuthenticationMethod.supported.contains(method) else {
            throw OAuthError(.configuration, "the client authentication \(displayable(method.rawValue, limit: 60)) is not supported")
        }
        // A method in the profile takes precedence over the list. Servers that accept clients without a secret often omit `none` from the
        // list.
        if server.clientAuthentication == nil, method != .none, let listed = server.metadata?.tokenEndpointAuthenticationMethods,
            !listed.contains(method.rawValue)
        {
            throw OAuthError(
                .configuration,
                "the server does not support the client authentication \(method.rawValue); it lists \(displayable(listed.joined(separator: ", "), limit: 200))"
            )
        }
        guard [.none, .privateKeyJWT].contains(method) || client.secret != nil else {
            throw OAuthError(.misuse, "\(server.displayName) requires a client secret, and none was given")
        }
        clientID = client.id
        self.method = method
        secret = [.basic, .post].contains(method) ? client.secret : nil
        assertion = try ClientAssertion(of: client, by: method, at: server)
        quirks = server.quirks.requests
    }

    /// RFC 8414 §2: a missing list means `client_secret_basic`. A client without a secret is accepted if one with a
    /// secret would be.
    private static func suggested(
        _ client: OAuthClient, by metadata: ServerMetadata?
    ) throws(OAuthError) -> ClientAuthenticationMethod {
        let supported = metadata?.tokenEndpointAuthenticationMethods ?? [ClientAuthenticationMethod.basic.rawValue]
        if client.secret == nil, client.keys?.canSign ?? false,
            supported.contains(ClientAuthenticationMethod.privateKeyJWT.rawValue)
        {
            return .privateKeyJWT
        }
        let secretMethod = [ClientAuthenticationMethod.basic, .post].first { supported.contains($0.rawValue) }
        if client.secret == nil, secretMethod != nil || supported.contains(ClientAuthenticationMethod.none.rawValue) { return .none }
        guard let secretMethod else {
            throw OAuthError(
                .configuration,
                "the server only supports client authentication by \(displayable(supported.joined(separator: ", "), limit: 200)), "
                    + "which this client cannot use; use another client or set its authentication method")
        }
        return secretMethod
    }

    func apply(to head: inout HTTPRequest, _ parameters: inout FormParameters) {
        guard assertion == nil else {
            // The signature follows when the request is sent.
            parameters.append("client_id", clientID)
            return
        }
        switch (method, secret) {
        case (.basic, let secret?):
            let credentials = FormParameters.encode(clientID) + ":" + FormParameters.encode(secret.reveal())
            head.headerFields[.authorization] = "Basic " + base64(credentials.utf8)
        case (_, nil) where quirks.clientWithoutSecret == .basicWithEmptyPassword:
            head.headerFields[.authorization] = "Basic " + base64("\(FormParameters.encode(clientID)):".utf8)
        case (.post, let secret?):
            parameters.append("client_id", clientID)
            parameters.append("client_secret", secret.reveal())
        default:
            parameters.append("client_id", clientID)
        }
    }
}
