import AuthHubPrimitives

extension ClientMetadata {
    /// The members that only a server sets (RFC 7591 §3.2.1, RFC 7592 §3).
    static let serverMembers = [
        "client_id", "client_secret", "client_id_issued_at", "client_secret_expires_at", "registration_access_token",
        "registration_client_uri",
    ]

    /// Checks the metadata by the rules of servers before it is sent.
    ///
    /// - Throws: ``OAuthError`` with `.misuse` that names the member: redirect URIs that are neither https nor, for a native program,
    ///   loopback or a custom scheme (RFC 8252 §7), or that a grant needs and that are missing; grant and response types that contradict
    ///   each other (RFC 7591 §2.1); `jwks` together with `jwks_uri`, or with a private key; a missing key that the authentication method
    ///   needs; an encryption without its algorithm; pages that are not https; members that only a server sets; members of the wrong type.
    package func check() throws(OAuthError) {
        for name in Self.serverMembers where members[name] != nil { throw Self.refused("\(name) is set by the server") }
        try checkTypes()
        try checkGrants()
        for uri in redirectURIs ?? [] { try checkRedirectURI(uri) }
        for name in ["client_uri", "logo_uri", "tos_uri", "policy_uri", "jwks_uri"] {
            guard let uri = text(name) else { continue }
            guard TransportPolicy.httpsOnly.allows(uri) else { throw Self.refused("\(name) is not an https URL") }
        }
        try checkKeys()
        try checkOpenID()
        for uri in texts("post_logout_redirect_uris") ?? [] { try checkRedirectURI(uri) }
    }

    private func checkTypes() throws(OAuthError) {
        for name in ["redirect_uris", "grant_types", "response_types", "contacts", "post_logout_redirect_uris", "request_uris"] {
            guard let value = members[name] else { continue }
            guard let values = value.array, values.allSatisfy({ !($0.string ?? "").isEmpty }) else {
                throw Self.refused("\(name) must be an array of strings that are not empty")
            }
        }
        for name in [
            "token_endpoint_auth_method", "client_name", "client_uri", "logo_uri", "scope", "tos_uri", "policy_uri", "jwks_uri",
            "software_id", "software_version", "software_statement", "application_type", "initiate_login_uri", "frontchannel_logout_uri",
            "backchannel_logout_uri",
        ] {
            guard let value = members[name] else { continue }
            guard let text = value.string, !text.isEmpty || name == "scope" else {
                throw Self.refused("\(name) must be a string that is not empty")
            }
        }
    }

    /// RFC 7591 §2.1.
    private func checkGrants() throws(OAuthError) {
        let grants = grantTypes ?? ["authorization_code"]
        let standard = grants.contains("authorization_code") ? ["code"] : []
        let responses = (responseTypes ?? standard).map { Set($0.split(separator: " ").map(String.init)) }
        let usesCode = responses.contains { $0.contains("code") }
        guard usesCode == grants.contains("authorization_code") else {
            throw Self.refused("the grant type authorization_code requires the response type code, and vice versa")
        }
        let usesImplicit = responses.contains { !$0.isDisjoint(with: ["token", "id_token"]) }
        guard usesImplicit == grants.contains("implicit") else {
            throw Self.refused("the grant type implicit requires the response type token or id_token, and vice versa")
        }
        guard !(usesCode || usesImplicit) || !(redirectURIs ?? []).isEmpty else {
            throw Self.refused("the grant needs redirect_uris")
        }
    }

    private func checkRedirectURI(_ uri: String) throws(OAuthError) {
        let shown = displayable(uri, limit: 200)
        guard isAbsoluteURI(uri), !uri.contains("#") else {
            throw Self.refused("the redirect URI \(shown) must be an absolute URI without fragment")
        }
        let scheme = uri.prefix { $0 != ":" }.lowercased()
        switch scheme {
        case "https":
            guard Origin(url: uri) != nil else { throw Self.refused("the redirect URI \(shown) has no valid host") }
        case _ where applicationType != "native":
            throw Self.refused(
                "the redirect URI \(shown) does not use https; only clients with the application_type native may use other schemes")
        case "http":
            guard Origin(url: uri)?.isLoopback ?? false else {
                throw Self.refused("the redirect URI \(shown) uses http but is not on loopback")
            }
        case "javascript", "data", "file", "vbscript", "blob", "about", "mailto", "ftp", "ws", "wss":
            throw Self.refused("the redirect URI \(shown) has a scheme that a program cannot handle")
        default: break
        }
    }

    private func checkKeys() throws(OAuthError) {
        guard members["jwks"] == nil || members["jwks_uri"] == nil else { throw Self.refused("jwks and jwks_uri cannot be used together") }
        if members["jwks"] != nil {
            guard let keys = keySet?["keys"]?.array, !keys.isEmpty else { throw Self.refused("jwks is not a set of keys") }
            for key in keys {
                guard let key = key.object, key["kty"]?.string != nil else { throw Self.refused("jwks contains a value that is not a key") }
                guard key["kty"] != "oct", !["d", "p", "q", "dp", "dq", "qi", "oth", "k"].contains(where: { key[$0] != nil }) else {
                    throw Self.refused("jwks contains a private or symmetric key; only public keys may be sent")
                }
            }
        }
        let method = tokenEndpointAuthenticationMethod?.rawValue ?? ""
        guard !["private_key_jwt", "self_signed_tls_client_auth"].contains(method) || members["jwks"] != nil || members["jwks_uri"] != nil
        else { throw Self.refused("\(method) needs jwks or jwks_uri") }
    }

    static func refused(_ reason: String) -> OAuthError {
        OAuthError(.misuse, "the client's metadata: \(reason)")
    }
}
