/// Endpoints that someone knows better than the server's metadata says them.
public struct EndpointOverrides: Sendable, Hashable {
    public var authorization: String?
    public var token: String?
    public var deviceAuthorization: String?

    public init(authorization: String? = nil, token: String? = nil, deviceAuthorization: String? = nil) {
        self.authorization = authorization
        self.token = token
        self.deviceAuthorization = deviceAuthorization
    }

    package var isEmpty: Bool { self == EndpointOverrides() }
}

extension ProviderProfile {
    /// The same provider with some of its endpoints named. Where both needed ones are, no metadata is read.
    public func overriding(_ overrides: EndpointOverrides) -> Self {
        var profile = self
        profile.endpointOverrides = overrides
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
