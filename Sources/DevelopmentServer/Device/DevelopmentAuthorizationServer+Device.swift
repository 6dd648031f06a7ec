import AuthHubPrimitives

extension DevelopmentAuthorizationServer {
    /// Where devices ask for codes; nil where the persona has no sign-in by device.
    public var deviceAuthorizationEndpoint: String? { state.deviceAuthorizationEndpoint }
    /// Where people enter them.
    public var devicePage: String? { persona.device.map { issuer + $0.pagePath } }
}

extension ServerState {
    var deviceAuthorizationEndpoint: String? { persona.device.map { issuer + $0.authorizationPath } }

    /// RFC 8628 §4.
    func withDevice(_ metadata: JSONValue) -> JSONValue {
        guard let endpoint = deviceAuthorizationEndpoint, var members = metadata.object else { return metadata }
        members["device_authorization_endpoint"] = .string(endpoint)
        members["grant_types_supported"] = .array(
            (members["grant_types_supported"]?.array ?? []) + [.string(TokenEndpoint.deviceGrantType)])
        return .object(members)
    }
}

extension DevelopmentAuthorizationServer.Persona {
    /// Whether what a device gets may be refreshed. There is no authorization request whose parameters could ask for it.
    func mayBeRefreshed(_ scope: [String], of client: DevelopmentAuthorizationServer.Client) -> Bool {
        switch tokens(for: client).refreshTokens {
        case .always, .forParameter: true
        case .never: false
        case .forScope(let name): scope.contains(name)
        }
    }
}
