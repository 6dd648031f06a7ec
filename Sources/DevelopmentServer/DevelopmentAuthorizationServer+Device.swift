extension DevelopmentAuthorizationServer {
    /// Where devices ask for codes; nil where the persona has no sign-in by device.
    package var deviceAuthorizationEndpoint: String? { state.deviceAuthorizationEndpoint }
    /// Where people enter them.
    package var devicePage: String? { persona.device.map { issuer + $0.pagePath } }
}
