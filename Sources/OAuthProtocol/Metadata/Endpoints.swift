/// The known endpoints of an authorization server.
public struct Endpoints: Sendable, Hashable {
    /// nil if the server has no grant that uses a browser.
    public var authorization: String?
    /// nil if the server has only the implicit grant.
    public var token: String?
    /// RFC 7009 §2.
    public var revocation: String?
    /// RFC 8628 §3.1.
    public var deviceAuthorization: String?
    /// OpenID Connect Core 1.0 §5.3.
    public var userInfo: String?
    /// OpenID Connect RP-Initiated Logout 1.0 §2.1.
    public var endSession: String?
    /// RFC 7662 §2.
    public var introspection: String?
    /// RFC 7591 §3.
    public var registration: String?
    /// RFC 9126 §2.
    public var pushedAuthorization: String?
    /// The URL of the server's keys.
    public var jwks: String?

    /// Creates endpoints; those that are omitted are nil.
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
    /// An endpoint, by the name of its member in the metadata.
    public enum Name: String, Sendable, Hashable, CaseIterable {
        case authorization = "authorization_endpoint"
        case token = "token_endpoint"
        /// RFC 7009, by RFC 8414 §2.
        case revocation = "revocation_endpoint"
        /// RFC 8628 §4.
        case deviceAuthorization = "device_authorization_endpoint"
        case userInfo = "userinfo_endpoint"
        case endSession = "end_session_endpoint"
        /// RFC 7662, by RFC 8414 §2.
        case introspection = "introspection_endpoint"
        /// RFC 7591, by RFC 8414 §2.
        case registration = "registration_endpoint"
        /// RFC 9126 §5.
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
