import AuthHubPrimitives

/// The reason why a registration is rejected (RFC 7591 §3.2.2).
struct RegistrationRefusal: Error {
    let code: String
    let description: String
}

/// The validation of a client's metadata.
struct RegistrationValidator: Sendable {
    let persona: Persona

    private static let grants = [
        "authorization_code", "refresh_token", "implicit", "client_credentials", TokenEndpoint.tokenExchangeGrantType,
        TokenEndpoint.deviceGrantType, TokenEndpoint.assertionGrantType,
    ]

    /// The methods of client authentication.
    static let authenticationMethods = ["none", "client_secret_basic", "client_secret_post", "private_key_jwt", "client_secret_jwt"]

    /// Returns the metadata to store: with the standard's defaults for missing values, and only the supported scopes.
    func noted(_ request: JSONObject) throws(RegistrationRefusal) -> JSONObject {
        guard request["software_statement"] == nil else {
            throw RegistrationRefusal(code: "unapproved_software_statement", description: "This server does not trust software statements.")
        }
        var noted = request
        for name in ["client_id", "client_secret", "registration_access_token", "registration_client_uri"] { noted[name] = nil }
        let grants = try texts("grant_types", in: request) ?? ["authorization_code"]
        guard grants.allSatisfy(Self.grants.contains) else { throw Self.invalid("A grant type is not supported.") }
        noted["grant_types"] = .array(grants.map { .string($0) })
        let usesCode = grants.contains("authorization_code")
        let responses = try texts("response_types", in: request) ?? (usesCode ? ["code"] : [])
        guard responses.allSatisfy({ persona.responseTypes.contains($0) }) else { throw Self.invalid("A response type is not supported.") }
        let needed = Set(responses.flatMap(Self.grants(for:)))
        guard needed == Set(grants).intersection(["authorization_code", "implicit"]) else {
            throw Self.invalid("The response types do not match the grant types.")
        }
        noted["response_types"] = .array(responses.map { .string($0) })
        let method = request["token_endpoint_auth_method"]?.string ?? "client_secret_basic"
        guard Self.authenticationMethods.contains(method) else {
            throw Self.invalid("The token_endpoint_auth_method is not supported.")
        }
        guard method != "private_key_jwt" || Self.keys(in: request).contains(where: { VerificationKey($0) != nil }) else {
            throw Self.invalid("There is no key for private_key_jwt; public keys must be in jwks.")
        }
        noted["token_endpoint_auth_method"] = .string(method)
        noted["id_token_signed_response_alg"] = .string(
            try algorithm("id_token_signed_response_alg", in: request, method)?.rawValue ?? persona.openIDConnect.algorithm.rawValue)
        _ = try algorithm("userinfo_signed_response_alg", in: request, method)
        for name in ["id_token", "userinfo"] { try checkEncryption(name, in: &noted, method) }
        guard request["jwks"] == nil || request["jwks_uri"] == nil else { throw Self.invalid("jwks and jwks_uri cannot be used together.") }
        try checkRedirectURIs(in: request, areNeeded: !responses.isEmpty)
        for name in ["backchannel_logout_uri", "frontchannel_logout_uri", "initiate_login_uri"] {
            guard let value = request[name] else { continue }
            guard value.string.map({ Origin(url: $0) != nil && !$0.contains("#") }) ?? false else {
                throw Self.invalid("The \(name) is not an absolute URL without fragment.")
            }
        }
        if let scope = request["scope"]?.string {
            let known = scope.split(separator: " ").map(String.init).filter(persona.scopes.contains)
            noted["scope"] = .string(known.joined(separator: " "))
        }
        return noted
    }

    /// Returns the algorithm of a member (OpenID Connect Dynamic Client Registration 1.0 §2); nil if there is none.
    private func algorithm(_ name: String, in request: JSONObject, _ method: String) throws(RegistrationRefusal) -> SigningAlgorithm? {
        guard let value = request[name] else { return nil }
        guard let algorithm = value.string.flatMap(SigningAlgorithm.init), persona.openIDConnect.algorithms.contains(algorithm),
            algorithm != .hs256 || method != "none"
        else { throw Self.invalid("The \(name) is not supported.") }
        return algorithm
    }

    /// OpenID Connect Dynamic Client Registration 1.0 §2: without an algorithm for the content, it is A128CBC-HS256.
    private func checkEncryption(_ name: String, in noted: inout JSONObject, _ method: String) throws(RegistrationRefusal) {
        let (algorithm, cipher) = ("\(name)_encrypted_response_alg", "\(name)_encrypted_response_enc")
        guard noted[algorithm] != nil || noted[cipher] != nil else { return }
        if noted[cipher] == nil { noted[cipher] = .string(ContentCipher.a128CBC.rawValue) }
        guard let encryption = Self.encryption(name, in: noted) else { throw Self.invalid("The encryption of \(name) is not supported.") }
        let encrypter = TokenEncrypter(
            encryption: encryption, keys: Self.keys(in: noted), secret: method == "none" ? nil : Secret("any secret"))
        guard encrypter.token([], isToken: false) != nil else {
            throw Self.invalid("There is no key for \(algorithm); public keys must be in jwks.")
        }
        guard Self.keys(in: noted).allSatisfy({ $0["d"] == nil && $0["k"] == nil }) else {
            throw Self.invalid("The jwks contains a private key.")
        }
    }

    /// Returns the encryption that a client has registered; nil for none.
    static func encryption(_ name: String, in metadata: JSONObject) -> TokenEncryption? {
        guard let algorithm = metadata["\(name)_encrypted_response_alg"]?.string.flatMap(KeyManagement.init),
            let cipher = metadata["\(name)_encrypted_response_enc"]?.string.flatMap(ContentCipher.init)
        else { return nil }
        return TokenEncryption(algorithm, cipher)
    }

    static func keys(in metadata: JSONObject) -> [JSONObject] {
        metadata["jwks"]?["keys"]?.array?.compactMap(\.object) ?? []
    }

    private func checkRedirectURIs(in request: JSONObject, areNeeded: Bool) throws(RegistrationRefusal) {
        let uris = try texts("redirect_uris", in: request) ?? []
        guard !uris.isEmpty || !areNeeded else {
            throw RegistrationRefusal(code: "invalid_redirect_uri", description: "The redirect_uris are missing.")
        }
        // OpenID Connect Dynamic Client Registration 1.0 §2: custom schemes are for native applications.
        let isWeb = request["application_type"]?.string == "web"
        for uri in uris {
            let origin = Origin(url: uri)
            let isGood = uri.contains(":") && !uri.contains("#") && (origin.map { $0.scheme == "https" || $0.isLoopback } ?? !isWeb)
            guard isGood else {
                throw RegistrationRefusal(code: "invalid_redirect_uri", description: "A redirect URI is not allowed by this server.")
            }
        }
    }

    /// OpenID Connect Dynamic Client Registration 1.0 §2.
    private static func grants(for responseType: String) -> [String] {
        let words = responseType.split(separator: " ")
        return (words.contains("code") ? ["authorization_code"] : [])
            + (words.contains("token") || words.contains("id_token") ? ["implicit"] : [])
    }

    private func texts(_ name: String, in request: JSONObject) throws(RegistrationRefusal) -> [String]? {
        guard let value = request[name] else { return nil }
        guard let values = value.array, values.allSatisfy({ $0.string != nil }) else {
            throw Self.invalid("\(name) is not an array of strings.")
        }
        return values.compactMap(\.string)
    }

    static func invalid(_ reason: String) -> RegistrationRefusal {
        RegistrationRefusal(code: "invalid_client_metadata", description: reason)
    }
}
