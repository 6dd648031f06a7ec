package import AuthHubPrimitives
package import HTTPTypes
package import Platform

/// A request to revoke a token (RFC 7009 §2.1, or the provider's own way).
package struct RevocationRequest: Sendable {
    /// The request to send; it holds the token to revoke.
    package internal(set) var message: BackChannelRequest
    private let style: RevocationStyle

    /// Creates the requests that revoke the tokens of a sign-in.
    ///
    /// - Returns: One request for each token that must be revoked, in order; none if the server has no way to revoke tokens.
    /// - Throws: ``OAuthError`` with `.misuse` if the provider requires a client secret, `.configuration` if the URL is unusable.
    package static func revoking(
        accessToken: Secret<String>, refreshToken: Secret<String>?, client: OAuthClient, at server: ProviderProfile
    ) throws(OAuthError) -> [RevocationRequest] {
        switch server.revocation {
        case .none:
            return []
        case .standard:
            guard let endpoint = server.endpoints?.revocation else { return [] }
            try check(endpoint, of: server)
            var requests: [RevocationRequest] = []
            for (token, hint) in [(refreshToken, TokenTypeHint.refreshToken), (accessToken, .accessToken)] {
                if let token { requests.append(try standard(token, hint, at: endpoint, client: client, of: server)) }
            }
            return requests
        case .authorizedByToken(let method, let address):
            try check(address, of: server)
            guard let method = HTTPRequest.Method(method) else {
                throw OAuthError(
                    .configuration, "the provider's description has no valid HTTP method to revoke tokens at \(server.displayName)")
            }
            let message = try BackChannelRequest(method, to: address) { head in
                head.headerFields[.contentType] = nil
                head.headerFields[.authorization] = "Bearer " + accessToken.reveal()
                return []
            }
            return [RevocationRequest(message: message, style: server.revocation)]
        case .gitHub(let applications):
            guard let secret = client.secret else {
                throw OAuthError(.misuse, "\(server.displayName) only revokes tokens for clients with a secret")
            }
            try check(applications, of: server)
            let message = try BackChannelRequest(
                .delete, to: "\(applications)/\(FormParameters.encode(client.id))/token", contentType: "application/json"
            ) { head in
                head.headerFields[.authorization] = "Basic " + base64("\(client.id):\(secret.reveal())".utf8)
                head.headerFields[.accept] = "application/vnd.github+json"
                let body: JSONValue = ["access_token": .string(accessToken.reveal())]
                return body.serialized()
            }
            return [RevocationRequest(message: message, style: server.revocation)]
        }
    }

    /// Creates the request that revokes one token.
    ///
    /// - Parameter hint: The kind of token, if known.
    /// - Returns: nil if the server has no way to revoke tokens.
    /// - Throws: ``OAuthError`` with `.misuse` if the token is empty, and as ``revoking(accessToken:refreshToken:client:at:)`` does.
    package static func revoking(
        _ token: Secret<String>, hint: TokenTypeHint? = nil, client: OAuthClient, at server: ProviderProfile
    ) throws(OAuthError) -> RevocationRequest? {
        guard !token.reveal().isEmpty else { throw OAuthError(.misuse, "the token is empty") }
        guard server.revocation == .standard else {
            return try revoking(accessToken: token, refreshToken: nil, client: client, at: server).first
        }
        guard let endpoint = server.endpoints?.revocation else { return nil }
        try check(endpoint, of: server)
        return try standard(token, hint, at: endpoint, client: client, of: server)
    }

    private static func standard(
        _ token: Secret<String>, _ hint: TokenTypeHint?, at endpoint: String, client: OAuthClient, of server: ProviderProfile
    ) throws(OAuthError) -> RevocationRequest {
        var form: FormParameters = ["token": token.reveal()]
        form.append("token_type_hint", ifPresent: hint?.rawValue)
        server.quirks.requests.complete(&form, for: .revocation)
        return RevocationRequest(
            message: try BackChannelRequest(form: form, to: endpoint, as: try ClientAuthentication(client, at: server)), style: .standard)
    }

    private static func check(_ endpoint: String, of server: ProviderProfile) throws(OAuthError) {
        guard server.transport.allows(endpoint) else {
            throw OAuthError(.configuration, "the revocation endpoint of \(server.displayName) must be an https URL without fragment")
        }
    }

    /// Checks the response. Any 2xx is a success, and so is an error about a token that is already invalid (RFC 7009 §2.2).
    ///
    /// - Parameter now: The time of the response, for a `Retry-After` with a date; if nil, only seconds are read.
    /// - Throws: ``OAuthError`` as ``TokenResponse`` does for errors.
    package func checkResponse(
        _ head: HTTPResponse, body: Secret<[UInt8]>, from server: ProviderProfile, at now: Date? = nil
    ) throws(OAuthError) {
        let reader = ResponseReader(request: message, server: server, now: now)
        if case .authorizedByToken = style {
            // 401: the token is already invalid.
            if head.status.code == 401 || body.reveal().isEmpty && head.status.kind == .successful { return }
            _ = try reader.members(of: head, body: body)
            return
        }
        if head.status.kind == .successful { return }
        if case .gitHub = style, [404, 422].contains(head.status.code) { return }
        _ = try reader.members(of: head, body: body)
    }
}
