extension DevelopmentAuthorizationServer {
    /// The URL at which devices request codes; nil if the persona does not support the device flow.
    package var deviceAuthorizationEndpoint: String? { state.deviceAuthorizationEndpoint }
    /// The URL of the page on which users enter the codes; nil if the persona does not support the device flow.
    package var devicePage: String? { persona.device.map { issuer + $0.pagePath } }
}
