extension DevelopmentAuthorizationServer {
    /// Where devices ask for codes; nil where the persona has no sign-in by device.
    public var deviceAuthorizationEndpoint: String? { state.deviceAuthorizationEndpoint }
    /// Where people enter them.
    public var devicePage: String? { persona.device.map { issuer + $0.pagePath } }
}
