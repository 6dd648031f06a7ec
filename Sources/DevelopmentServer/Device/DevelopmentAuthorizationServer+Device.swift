import AuthHubPrimitives

extension DevelopmentAuthorizationServer {
    /// The endpoint at which devices request codes; nil if the persona has no device flow.
    public var deviceAuthorizationEndpoint: String? { state.deviceAuthorizationEndpoint }
    /// The page on which users enter them.
    public var devicePage: String? { persona.device.map { issuer + $0.pagePath } }
}

extension ServerState {
    var deviceAuthorizationEndpoint: String? { persona.device.map { issuer + $0.authorizationPath } }

    /// Returns the metadata with the members of RFC 8628 §4.
    func withDevice(_ metadata: JSONValue) -> JSONValue {
        guard let endpoint = deviceAuthorizationEndpoint, var members = metadata.object else { return metadata }
        members["device_authorization_endpoint"] = .string(endpoint)
        members["grant_types_supported"] = .array(
            (members["grant_types_supported"]?.array ?? []) + [.string(TokenEndpoint.deviceGrantType)])
        return .object(members)
    }
}

extension DevelopmentAuthorizationServer.Persona {
    /// Returns whether a device gets a refresh token. There is no authorization request whose parameters could ask for it.
    func mayBeRefreshed(_ scope: [String], of client: DevelopmentAuthorizationServer.Client) -> Bool {
        switch tokens(for: client).refreshTokens {
        case .always, .forParameter: true
        case .never: false
        case .forScope(let name): scope.contains(name)
        }
    }
}
