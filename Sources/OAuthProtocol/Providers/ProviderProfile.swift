public import AuthHubPrimitives

/// A description of an authorization server and of its quirks. Providers differ only in this data: they all share the same code.
public struct ProviderProfile: Sendable {
    /// A short name for configuration and commands, such as `github`.
    public var name: String
    /// The name that users know, such as `GitHub`.
    public var displayName: String
    /// The issuer that metadata (RFC 8414 §3.3) and authorization responses (RFC 9207 §2.4) must name; nil if the provider has no issuer.
    public var issuer: String?
    /// The value that `iss` in authorization responses is compared with, if it is not ``issuer`` (RFC 9207 §2.4).
    package var responseIssuer: String?
    /// The endpoints; nil until the server's metadata has been read.
    public var endpoints: Endpoints? {
        didSet { takesSignInEndpointsFromMetadata = false }
    }
    /// The endpoints that replace those of the metadata; see ``overriding(_:)``.
    package internal(set) var endpointOverrides = EndpointOverrides()
    /// The server's metadata; nil until it has been read.
    public var metadata: ServerMetadata?
    /// Whether only the server's own metadata names its authorization and token endpoints.
    var takesSignInEndpointsFromMetadata = false
    /// The policy for the URLs of the server; by default, only https is allowed.
    public var transport: TransportPolicy = .httpsOnly

    /// The origins that may receive the access token, in addition to the origin of ``accountEndpoint``.
    public var resourceOrigins: Set<Origin> = []
    /// The only resource that receives the access token; nil if the provider's own servers receive it.
    package var protectedResource: ResourceIndicator?
    /// Whether only the metadata of a resource has named the issuer. It then gets no assertion that may be for another server.
    package var isNamedByResource = false
    /// Whether the user or the program has named the issuer of a resource, too, which confirms that its endpoints belong to it.
    package var isConfirmed = false
    /// The URL that returns information about the signed-in account; if nil, the userinfo endpoint is used.
    public var accountEndpoint: String?
    /// The URL that the paths of API requests are relative to, as the provider's documentation writes them; see ``apiBaseURL``.
    package var baseURL: String?
    /// The scope that is requested if the caller does not specify one.
    public var defaultScope: Scope = []

    /// The client authentication method; if nil, the server's metadata determines it.
    public var clientAuthentication: ClientAuthenticationMethod?
    /// The separator of requested scopes.
    package var scopeSeparator = " "
    /// The separators of granted scopes.
    package var grantedScopeSeparators: Set<Character> = [" "]
    /// Additional parameters for every authorization request.
    public var authorizationParameters: FormParameters = [:]
    /// The type of tokens in responses without a type.
    package var defaultTokenType: TokenType?
    /// The way to revoke tokens; by default, the revocation endpoint (RFC 7009).
    package var revocation: RevocationStyle = .standard
    /// The policy for pushed authorization requests (RFC 9126); by default, requests are pushed only if the server requires it.
    public var pushedAuthorization: PushedAuthorizationPolicy = .neverUnlessRequired

    /// Where the provider differs from the specifications.
    package var quirks: ProviderQuirks {
        get { sharedQuirks.value }
        set { sharedQuirks.value = newValue }
    }
    private var sharedQuirks = Shared<ProviderQuirks>.standard

    /// Creates the profile of a server that follows the specifications.
    public init(name: String, displayName: String, issuer: String? = nil, endpoints: Endpoints? = nil) {
        self.name = name
        self.displayName = displayName
        self.issuer = issuer
        self.endpoints = endpoints
    }

    /// The name of the server in stored credentials.
    package var identity: String { issuer ?? endpoints?.authorization ?? name }
}

extension ProviderProfile {
    /// Creates the profile of a server that publishes its metadata at well-known URLs of its issuer (RFC 8414 §3).
    public static func issuer(_ issuer: Issuer) -> Self {
        var profile = Self(name: issuer.text, displayName: Origin(url: issuer.text)?.host ?? issuer.text, issuer: issuer.text)
        profile.transport = issuer.transport
        if let origin = Origin(url: issuer.text) { profile.resourceOrigins = [origin] }
        return profile
    }

    /// Returns the profile with the server's metadata. Endpoints that the program has set stay.
    package func applying(_ metadata: ServerMetadata) -> Self {
        var profile = self
        profile.metadata = metadata
        profile.issuer = metadata.issuer
        if endpoints == nil || takesSignInEndpointsFromMetadata {
            profile.endpoints = metadata.endpoints.overridden(by: endpointOverrides)
            // The token is only for the resource.
            if protectedResource != nil { profile.endpoints?.userInfo = nil }
            profile.takesSignInEndpointsFromMetadata = endpointOverrides.authorization == nil && endpointOverrides.token == nil
        }
        if protectedResource == nil { profile.accountEndpoint = accountEndpoint ?? metadata.endpoints.userInfo }
        return profile
    }

    /// The URL that the paths of API requests are relative to: ``baseURL``, or else the origin of ``accountEndpoint``; nil if the API's URL
    /// is unknown.
    package var apiBaseURL: String? { baseURL ?? protectedResource?.text ?? accountEndpoint.flatMap { Origin(url: $0)?.description } }

    /// All origins that may receive the access token: ``resourceOrigins`` and the origins of ``accountEndpoint`` and the API's base URL.
    ///
    /// An issuer that could be attempting a mix-up attack is excluded: its metadata names another host's authorization endpoint, and does
    /// not promise `iss` in responses (RFC 9700 §4.4).
    public var tokenOrigins: Set<Origin> {
        if let protectedResource { return protectedResource.origin.map { [$0] } ?? [] }
        var origins = resourceOrigins
        for case let url? in [accountEndpoint, baseURL] where transport.allows(url) {
            if let origin = Origin(url: url) { origins.insert(origin) }
        }
        // A malicious issuer may name an honest server's endpoints, whose tokens it must not see (RFC 9700 §4.4).
        if takesSignInEndpointsFromMetadata, let metadata, !metadata.promisesIssuerInResponse,
            let issuer = Origin(url: metadata.issuer), let authorization = endpoints?.authorization, Origin(url: authorization) != issuer
        {
            origins.remove(issuer)
        }
        return origins
    }
}
