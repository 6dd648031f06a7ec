import HTTPTypes
import OAuthProtocol

/// Messages of typical sizes.
enum Texts {
    static let issuer = "https://as.example"
    static let code = "SplxlOBeZQQYbYS6WxSbIA0123456789abcdefghij"
    static let head = HTTPResponse(status: .ok, headerFields: [.contentType: "application/json;charset=UTF-8"])
    static let server = ProviderProfile(
        name: "plain", displayName: "Plain", issuer: issuer,
        endpoints: Endpoints(authorization: "\(issuer)/authorize", token: "\(issuer)/token"))

    static let tokenAnswer = """
        {"access_token":"\(String(repeating: "aZ09-_.~", count: 80))","token_type":"Bearer","expires_in":3600,\
        "refresh_token":"\(String(repeating: "bY18-_.~", count: 16))","scope":"openid profile email offline_access"}
        """

    static let metadata = """
        {
          "issuer": "\(issuer)",
          "authorization_endpoint": "\(issuer)/oauth2/v1/authorize",
          "token_endpoint": "\(issuer)/oauth2/v1/token",
          "revocation_endpoint": "\(issuer)/oauth2/v1/revoke",
          "introspection_endpoint": "\(issuer)/oauth2/v1/introspect",
          "device_authorization_endpoint": "\(issuer)/oauth2/v1/device",
          "pushed_authorization_request_endpoint": "\(issuer)/oauth2/v1/par",
          "registration_endpoint": "\(issuer)/oauth2/v1/clients",
          "userinfo_endpoint": "\(issuer)/oauth2/v1/userinfo",
          "end_session_endpoint": "\(issuer)/oauth2/v1/logout",
          "jwks_uri": "\(issuer)/oauth2/v1/keys",
          "response_types_supported": ["code", "code id_token", "code token", "id_token", "id_token token"],
          "response_modes_supported": ["query", "fragment", "form_post"],
          "grant_types_supported": ["authorization_code", "implicit", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
          "subject_types_supported": ["public", "pairwise"],
          "id_token_signing_alg_values_supported": ["RS256", "ES256", "PS256"],
          "scopes_supported": ["openid", "profile", "email", "address", "phone", "offline_access"],
          "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "private_key_jwt", "none"],
          "claims_supported": ["aud", "email", "email_verified", "exp", "family_name", "given_name", "iat", "iss", "locale", "name", "sub"],
          "code_challenge_methods_supported": ["S256"],
          "authorization_response_iss_parameter_supported": true,
          "request_parameter_supported": false,
          "claims_parameter_supported": false
        }
        """
}
