extension ServerMetadata {
    /// The scopes that the server supports (`scopes_supported`); nil if the metadata does not list them.
    public var scopes: [String]? { texts(.scopes) }
    /// `response_types_supported`.
    package var responseTypes: [String]? { texts(.responseTypes) }
    /// `response_modes_supported`; nil means `query` and `fragment` (RFC 8414 §2).
    package var responseModes: [String]? { texts(.responseModes) }
    /// `grant_types_supported`; nil means `authorization_code` and `implicit` (RFC 8414 §2).
    package var grantTypes: [String]? { texts(.grantTypes) }
    /// `code_challenge_methods_supported`.
    package var codeChallengeMethods: [String]? { texts(.codeChallengeMethods) }
    /// Whether the server supports PKCE with S256; nil if the metadata does not list its methods.
    package var supportsS256: Bool? { codeChallengeMethods?.contains("S256") }
    /// `acr_values_supported` (OpenID Connect Discovery 1.0 §3).
    package var acrValues: [String]? { texts(.acrValues) }
    /// `prompt_values_supported` (Initiating User Registration via OpenID Connect 1.0 §4.1).
    package var promptValues: [String]? { texts(.promptValues) }
    /// `claims_supported` (OpenID Connect Discovery 1.0 §3).
    package var claims: [String]? { texts(.claims) }
    /// `ui_locales_supported`.
    package var userInterfaceLocales: [String]? { texts(.userInterfaceLocales) }
    /// `authorization_details_types_supported` (RFC 9396 §10).
    package var authorizationDetailsTypes: [String]? { texts(.authorizationDetailsTypes) }
    /// `protected_resources` (RFC 9728 §4): the resources that the server issues tokens for.
    package var protectedResources: [String]? { texts(.protectedResources) }

    /// Whether every authorization response names the issuer (`authorization_response_iss_parameter_supported`, RFC 9207 §3).
    package var promisesIssuerInResponse: Bool { flag(.issuerInResponse) }
    /// Whether a client ID may be the URL of the client's metadata (`client_id_metadata_document_supported`).
    package var supportsClientIDDocuments: Bool { flag(.clientMetadataDocuments) }
    /// `require_pushed_authorization_requests` (RFC 9126 §5).
    package var requiresPushedAuthorizationRequests: Bool { flag(.requiresPushedRequests) }

    /// `service_documentation`, cleaned for display.
    package var serviceDocumentation: String? { line(.serviceDocumentation) }
    /// `op_policy_uri`, cleaned for display.
    package var policyURI: String? { line(.policyURI) }
    /// `op_tos_uri`, cleaned for display.
    package var termsOfServiceURI: String? { line(.termsOfServiceURI) }
}

/// How clients authenticate, and with which signatures.
extension ServerMetadata {
    /// `token_endpoint_auth_methods_supported`; nil means `client_secret_basic` (RFC 8414 §2).
    package var tokenEndpointAuthenticationMethods: [String]? { texts(.tokenAuthentication) }
    /// `token_endpoint_auth_signing_alg_values_supported`, without `none`.
    package var tokenEndpointAuthenticationAlgorithms: [String]? { algorithms(.tokenAuthenticationAlgorithms) }
    /// `revocation_endpoint_auth_methods_supported`; nil means `client_secret_basic` (RFC 8414 §2).
    package var revocationEndpointAuthenticationMethods: [String]? { texts(.revocationAuthentication) }
    /// `introspection_endpoint_auth_methods_supported`; nil says nothing, and access tokens may be accepted, too (RFC 8414 §2).
    package var introspectionEndpointAuthenticationMethods: [String]? { texts(.introspectionAuthentication) }
    /// `id_token_signing_alg_values_supported`, without `none`.
    package var idTokenAlgorithms: [String]? { algorithms(.idTokenAlgorithms) }
    /// `userinfo_signing_alg_values_supported`, without `none`.
    package var userInfoAlgorithms: [String]? { algorithms(.userInfoAlgorithms) }
    /// `dpop_signing_alg_values_supported` (RFC 9449 §5.1), without `none`.
    package var dpopAlgorithms: [String]? { algorithms(.dpopAlgorithms) }
}

extension ServerMetadata {
    /// The members that have properties, by their names in the document.
    enum Member: String {
        case scopes = "scopes_supported"
        case responseTypes = "response_types_supported"
        case responseModes = "response_modes_supported"
        case grantTypes = "grant_types_supported"
        case codeChallengeMethods = "code_challenge_methods_supported"
        case acrValues = "acr_values_supported"
        case promptValues = "prompt_values_supported"
        case claims = "claims_supported"
        case userInterfaceLocales = "ui_locales_supported"
        case subjectTypes = "subject_types_supported"
        case requestObjectAlgorithms = "request_object_signing_alg_values_supported"
        case authorizationDetailsTypes = "authorization_details_types_supported"
        case protectedResources = "protected_resources"
        case tokenAuthentication = "token_endpoint_auth_methods_supported"
        case revocationAuthentication = "revocation_endpoint_auth_methods_supported"
        case introspectionAuthentication = "introspection_endpoint_auth_methods_supported"
        static let texts: [Self] = [
            .scopes, .responseTypes, .responseModes, .grantTypes, .codeChallengeMethods, .acrValues, .promptValues, .claims,
            .userInterfaceLocales, .subjectTypes, .requestObjectAlgorithms, .authorizationDetailsTypes, .protectedResources,
            .tokenAuthentication, .revocationAuthentication, .introspectionAuthentication,
        ]

        case tokenAuthenticationAlgorithms = "token_endpoint_auth_signing_alg_values_supported"
        case revocationAuthenticationAlgorithms = "revocation_endpoint_auth_signing_alg_values_supported"
        case introspectionAuthenticationAlgorithms = "introspection_endpoint_auth_signing_alg_values_supported"
        case idTokenAlgorithms = "id_token_signing_alg_values_supported"
        case userInfoAlgorithms = "userinfo_signing_alg_values_supported"
        case dpopAlgorithms = "dpop_signing_alg_values_supported"
        static let algorithms: [Self] = [
            .tokenAuthenticationAlgorithms, .revocationAuthenticationAlgorithms, .introspectionAuthenticationAlgorithms,
            .idTokenAlgorithms, .userInfoAlgorithms, .dpopAlgorithms,
        ]

        case issuerInResponse = "authorization_response_iss_parameter_supported"
        case requiresPushedRequests = "require_pushed_authorization_requests"
        case requiresSignedRequests = "require_signed_request_object"
        case clientMetadataDocuments = "client_id_metadata_document_supported"
        case requestParameter = "request_parameter_supported"
        case requestURIParameter = "request_uri_parameter_supported"
        case claimsParameter = "claims_parameter_supported"
        case certificateBoundTokens = "tls_client_certificate_bound_access_tokens"
        static let flags: [Self] = [
            .issuerInResponse, .requiresPushedRequests, .requiresSignedRequests, .clientMetadataDocuments, .requestParameter,
            .requestURIParameter, .claimsParameter, .certificateBoundTokens,
        ]

        case serviceDocumentation = "service_documentation"
        case policyURI = "op_policy_uri"
        case termsOfServiceURI = "op_tos_uri"
        static let lines: [Self] = [.serviceDocumentation, .policyURI, .termsOfServiceURI]
    }
}
