/// The URLs of an authorization server's endpoints, as far as they are known.
public struct Endpoints: Sendable, Hashable {
    /// The authorization endpoint (RFC 6749 §3.1); nil if none of the server's grants uses a browser.
    public var authorization: String?
    /// The token endpoint (RFC 6749 §3.2); nil if the server only has the implicit grant.
    public var token: String?
    /// The revocation endpoint (RFC 7009 §2).
    public var revocation: String?
    /// The device authorization endpoint (RFC 8628 §3.1).
    public var deviceAuthorization: String?
    /// The userinfo endpoint (OpenID Connect Core 1.0 §5.3).
    public var userInfo: String?
    /// The logout endpoint (OpenID Connect RP-Initiated Logout 1.0 §2.1).
    public var endSession: String?
    /// The introspection endpoint (RFC 7662 §2).
    public var introspection: String?
    /// The client registration endpoint (RFC 7591 §3).
    public var registration: String?
    /// The pushed authorization request endpoint (RFC 9126 §2).
    public var pushedAuthorization: String?
    /// The URL of the server's JSON Web Key Set.
    public var jwks: String?

    /// Creates endpoints. Those that you omit are nil.
    public init(
        authorization: String? = nil, token: String? = nil, revocation: String? = nil, deviceAuthorization: String? = nil,
        userInfo: String? = nil, endSession: String? = nil, introspection: String? = nil, registration: String? = nil,
        pushedAuthorization: String? = nil, jwks: String? = nil
    ) {
        self.authorization = authorization
        self.token = token
        self.revocation = revocation
        self.deviceAuthorization = deviceAuthorization
        self.userInfo = userInfo
        self.endSession = endSession
        self.introspection = introspection
        self.registration = registration
        self.pushedAuthorization = pushedAuthorization
        self.jwks = jwks
    }
}

extension Endpoints {
    /// An endpoint. The raw value is the name of the endpoint's member in the server's metadata.
    public enum Name: String, Sendable, Hashable, CaseIterable {
        case authorization = "authorization_endpoint"
        case token = "token_endpoint"
        /// The revocation endpoint of RFC 7009. RFC 8414 §2 defines the member.
        case revocation = "revocation_endpoint"
        /// The device authorization endpoint (RFC 8628 §4).
        case deviceAuthorization = "device_authorization_endpoint"
        case userInfo = "userinfo_endpoint"
        case endSession = "end_session_endpoint"
        /// The introspection endpoint of RFC 7662. RFC 8414 §2 defines the member.
        case introspection = "introspection_endpoint"
        /// The client registration endpoint of RFC 7591. RFC 8414 §2 defines the member.
        case registration = "registration_endpoint"
        /// The pushed authorization request endpoint (RFC 9126 §5).
        case pushedAuthorization = "pushed_authorization_request_endpoint"
        case jwks = "jwks_uri"

        var place: WritableKeyPath<Endpoints, String?> {
            switch self {
            case .authorization: \.authorization
            case .token: \.token
            case .revocation: \.revocation
            case .deviceAuthorization: \.deviceAuthorization
            case .userInfo: \.userInfo
            case .endSession: \.endSession
            case .introspection: \.introspection
            case .registration: \.registration
            case .pushedAuthorization: \.pushedAuthorization
            case .jwks: \.jwks
            }
        }
    }

    /// The endpoint with a name.
    package subscript(name: Name) -> String? {
        get { self[keyPath: name.place] }
        set { self[keyPath: name.place] = newValue }
    }
}
