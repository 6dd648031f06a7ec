public import AuthHubPrimitives
public import HTTPTypes

/// What a server says about itself (RFC 8414 §2, OpenID Connect Discovery §3), as far as it is used here.
public struct ServerMetadata: Sendable {
    /// As the document writes it: what `iss` is compared with.
    public let issuer: String
    /// Those that are usable; https unless the issuer's policy excepts loopback.
    public let endpoints: Endpoints
    /// `code_challenge_methods_supported`; nil where the document does not say.
    public let codeChallengeMethods: [String]?
    /// `token_endpoint_auth_methods_supported`; nil means `client_secret_basic` (RFC 8414 §2).
    public let tokenEndpointAuthenticationMethods: [String]?
    /// Whether every authorization response has to name the issuer (RFC 9207 §3).
    public let promisesIssuerInResponse: Bool
    /// All members, those unknown here included.
    public let members: JSONObject

    /// Reads a metadata document.
    ///
    /// A member of the wrong type counts as absent, and so does an endpoint that is no usable URL: whether one is there is asked when it
    /// is needed (``ProviderProfile/address(of:)``). An issuer that is not the asked one refuses the whole document (RFC 8414 §3.3); the
    /// one leniency is a slash at the end of an issuer without a path.
    ///
    /// - Throws: ``OAuthError``: `.invalidResponse` for a status other than 200 or a body that is not strict JSON,
    ///   `.securityCheckFailed` for another issuer.
    public init(
        _ head: HTTPResponse, body: Secret<[UInt8]>, of issuer: Issuer
    ) throws(OAuthError) {
        guard head.status == .ok else {
            throw OAuthError(.invalidResponse, "the metadata document was answered with \(head.status.code)")
        }
        let members = try JSONObject(body.reveal(), of: "the metadata document")
        guard let named = members["issuer"]?.string else {
            throw OAuthError(.invalidResponse, "the metadata document names no issuer")
        }
        guard issuer.isNamed(named) else {
            throw OAuthError(
                .securityCheckFailed,
                "asked for the metadata of \(issuer.text), got that of \(displayable(named, limit: 200))")
        }
        func list(_ name: String) -> [String]? { members[name]?.array.map { $0.compactMap(\.string) } }
        self.issuer = named
        var endpoints = Endpoints()
        for name in Endpoints.Name.allCases {
            endpoints[name] = members[name.rawValue]?.string.flatMap { issuer.transport.allows($0) ? $0 : nil }
        }
        self.endpoints = endpoints
        codeChallengeMethods = list("code_challenge_methods_supported")
        tokenEndpointAuthenticationMethods = list("token_endpoint_auth_methods_supported")
        promisesIssuerInResponse = members["authorization_response_iss_parameter_supported"]?.bool ?? false
        self.members = members
    }
}
