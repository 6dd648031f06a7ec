public import AuthHubPrimitives

/// An authorization server and its quirks, as data. No code is specific to a provider.
public struct ProviderProfile: Sendable {
    /// A short name for configuration and commands: `github`.
    public var name: String
    /// The name that users know: `GitHub`.
    public var displayName: String
    /// The issuer to compare with (RFC 9207, RFC 8414); nil if the provider has none.
    public var issuer: String?
    /// The value that `iss` in authorization responses is compared with, if it is not ``issuer`` (RFC 9207 §2.4).
    package var responseIssuer: String?
    /// The endpoints; nil until the metadata is read.
    public var endpoints: Endpoints? {
        didSet { takesSignInEndpointsFromMetadata = false }
    }
    /// The endpoints that replace those of the metadata; see ``overriding(_:)``.
    package internal(set) var endpointOverrides = EndpointOverrides()
    /// The server's metadata; nil until it is read.
    public var metadata: ServerMetadata?
    /// Whether only the server's own metadata names its authorization and token endpoints.
    var takesSignInEndpointsFromMetadata = false
    /// The policy for the URLs of the server; by default, only https is allowed.
    public var transport: TransportPolicy = .httpsOnly

    /// The origins whose requests may carry the access token, besides that of the account endpoint.
    public var resourceOrigins: Set<Origin> = []
    /// The URL that describes the signed-in account; nil means the userinfo endpoint.
    public var accountEndpoint: String?
    /// The scope that is requested if the caller specifies none.
    public var defaultScope: Scope = []

    /// How clients authenticate; nil means as the metadata says.
    public var clientAuthentication: ClientAuthenticationMethod?
    /// The separator of requested scopes.
    package var scopeSeparator = " "
    /// The separators of granted scopes.
    package var grantedScopeSeparators: Set<Character> = [" "]
    /// Additional parameters of every authorization request.
    public var authorizationParameters: FormParameters = [:]
    /// The type of tokens in responses without a type.
    package var defaultTokenType: TokenType?
    /// The way to revoke tokens; by default, the revocation endpoint (RFC 7009).
    package var revocation: RevocationStyle = .standard
    /// When authorization requests are sent over the back channel first (RFC 9126).
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
    /// Creates the profile of a server that publishes metadata under its issuer.
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
            profile.takesSignInEndpointsFromMetadata = endpointOverrides.authorization == nil && endpointOverrides.token == nil
        }
        profile.accountEndpoint = accountEndpoint ?? metadata.endpoints.userInfo
        return profile
    }

    /// All origins that may receive the access token.
    public var tokenOrigins: Set<Origin> {
        var origins = resourceOrigins
        if let endpoint = accountEndpoint, transport.allows(endpoint), let account = Origin(url: endpoint) { origins.insert(account) }
        // A malicious issuer may name an honest server's endpoints, whose tokens it must not see (RFC 9700 §4.4).
        if takesSignInEndpointsFromMetadata, let metadata, !metadata.promisesIssuerInResponse,
            let issuer = Origin(url: metadata.issuer), let authorization = endpoints?.authorization, Origin(url: authorization) != issuer
        {
            origins.remove(issuer)
        }
        return origins
    }
}
