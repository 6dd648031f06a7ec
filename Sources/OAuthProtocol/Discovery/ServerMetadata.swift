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
    /// A member of the wrong type counts as absent, and so does an endpoint that is no usable URL; an issuer that is not the asked
    /// one refuses the whole document (RFC 8414 §3.3). The one leniency is a slash at the end of an issuer without a path.
    ///
    /// - Throws: ``OAuthError``: `.invalidResponse` for a status other than 200 or a body that is not strict JSON,
    ///   `.securityCheckFailed` for another issuer, `.configuration` where a needed endpoint is missing.
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
        func endpoint(_ name: String) -> String? {
            members[name]?.string.flatMap { issuer.transport.allows($0) ? $0 : nil }
        }
        func list(_ name: String) -> [String]? { members[name]?.array.map { $0.compactMap(\.string) } }
        guard let authorization = endpoint("authorization_endpoint"), let token = endpoint("token_endpoint") else {
            let missing = endpoint("token_endpoint") == nil ? "token_endpoint" : "authorization_endpoint"
            throw OAuthError(.configuration, "the metadata document has no usable \(missing)")
        }
        self.issuer = named
        endpoints = Endpoints(
            authorization: authorization,
            token: token,
            revocation: endpoint("revocation_endpoint"),
            deviceAuthorization: endpoint("device_authorization_endpoint"),
            userInfo: endpoint("userinfo_endpoint"),
            endSession: endpoint("end_session_endpoint"),
            pushedAuthorizationRequest: endpoint("pushed_authorization_request_endpoint"),
            introspection: endpoint("introspection_endpoint"),
            registration: endpoint("registration_endpoint"))
        codeChallengeMethods = list("code_challenge_methods_supported")
        tokenEndpointAuthenticationMethods = list("token_endpoint_auth_methods_supported")
        promisesIssuerInResponse = members["authorization_response_iss_parameter_supported"]?.bool ?? false
        self.members = members
    }
}
