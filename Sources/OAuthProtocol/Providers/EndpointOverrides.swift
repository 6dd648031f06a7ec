/// Endpoints that the program or the user sets instead of those in the server's metadata, and the base URL of the API.
package struct EndpointOverrides: Sendable, Hashable {
    /// The authorization endpoint; nil if it is not overridden.
    package var authorization: String?
    /// The token endpoint; nil if it is not overridden.
    package var token: String?
    /// The device authorization endpoint (RFC 8628 §3.1); nil if it is not overridden.
    package var deviceAuthorization: String?
    /// The base URL of the API (``ProviderProfile/baseURL``); nil if it is not overridden.
    package var base: String?

    /// Creates overrides. An endpoint that is nil is not overridden.
    package init(authorization: String? = nil, token: String? = nil, deviceAuthorization: String? = nil, base: String? = nil) {
        self.authorization = authorization
        self.token = token
        self.deviceAuthorization = deviceAuthorization
        self.base = base
    }

    package var isEmpty: Bool { self == EndpointOverrides() }
}

extension ProviderProfile {
    /// Returns the profile with some endpoints set. If authorization and token endpoint are set, no metadata is read.
    package func overriding(_ overrides: EndpointOverrides) -> Self {
        var profile = self
        profile.endpointOverrides = overrides
        profile.baseURL = overrides.base ?? baseURL
        if endpoints == nil, let authorization = overrides.authorization, let token = overrides.token {
            profile.endpoints = Endpoints(authorization: authorization, token: token)
        }
        profile.endpoints = profile.endpoints.map { $0.overridden(by: overrides) }
        profile.takesSignInEndpointsFromMetadata =
            takesSignInEndpointsFromMetadata && overrides.authorization == nil && overrides.token == nil
        return profile
    }
}

extension Endpoints {
    func overridden(by overrides: EndpointOverrides) -> Self {
        var endpoints = self
        endpoints.authorization = overrides.authorization ?? authorization
        endpoints.token = overrides.token ?? token
        endpoints.deviceAuthorization = overrides.deviceAuthorization ?? deviceAuthorization
        return endpoints
    }
}
