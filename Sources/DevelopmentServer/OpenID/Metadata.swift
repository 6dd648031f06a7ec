import AuthHubPrimitives
import Synchronization

extension ServerState {
    /// The metadata document, the same for OpenID Connect Discovery 1.0 §3 and RFC 8414 §2; nil if the persona does not publish it.
    var metadata: JSONValue? {
        guard persona.isOpenIDProvider else { return nil }
        return withMessages(withDevice(common))
    }

    private var algorithms: JSONValue {
        .array(persona.openIDConnect.algorithms.map { .string($0.rawValue) })
    }

    private static let keyManagement = JSONValue.array(KeyManagement.allCases.map { .string($0.rawValue) })
    private static let ciphers = JSONValue.array(ContentCipher.allCases.map { .string($0.rawValue) })

    private var common: JSONValue {
        [
            "issuer": .string(issuer),
            "authorization_endpoint": .string(issuer + persona.addresses.authorization),
            "token_endpoint": .string(issuer + persona.addresses.token),
            "revocation_endpoint": .string(issuer + "/revoke"),
            "userinfo_endpoint": .string(issuer + "/userinfo"),
            "end_session_endpoint": .string(issuer + "/logout"),
            "jwks_uri": .string(issuer + "/jwks"),
            "scopes_supported": .array(persona.scopes.map { .string($0) }),
            "response_types_supported": .array(persona.responseTypes.map { .string($0) }),
            "response_modes_supported": ["query", "fragment", "form_post"],
            "grant_types_supported": ["authorization_code", "refresh_token", "implicit"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": algorithms,
            "userinfo_signing_alg_values_supported": algorithms,
            "id_token_encryption_alg_values_supported": Self.keyManagement,
            "id_token_encryption_enc_values_supported": Self.ciphers,
            "userinfo_encryption_alg_values_supported": Self.keyManagement,
            "userinfo_encryption_enc_values_supported": Self.ciphers,
            "claim_types_supported": ["normal", "aggregated", "distributed"],
            "acr_values_supported": .array(persona.openIDConnect.contextClasses.map { .string($0) }),
            "token_endpoint_auth_methods_supported": .array(RegistrationValidator.authenticationMethods.map { .string($0) }),
            "token_endpoint_auth_signing_alg_values_supported": .array(openIDConnect.withLock(\.assertions).algorithms.map { .string($0) }),
            "revocation_endpoint_auth_methods_supported": ["none", "client_secret_basic", "client_secret_post"],
            "code_challenge_methods_supported": ["S256"],
            "prompt_values_supported": ["none", "login", "consent", "select_account"],
            "claims_supported": [
                "iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "at_hash", "c_hash", "s_hash", "sid", "acr", "amr", "name",
                "preferred_username", "picture", "email", "email_verified",
            ],
            "authorization_response_iss_parameter_supported": true,
            "request_parameter_supported": false,
            "request_uri_parameter_supported": false,
            "claims_parameter_supported": true,
            "backchannel_logout_supported": true,
            "backchannel_logout_session_supported": true,
            "frontchannel_logout_supported": true,
            "frontchannel_logout_session_supported": true,
        ]
    }
}
