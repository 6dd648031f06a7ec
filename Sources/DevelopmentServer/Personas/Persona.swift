/// Whose quirks the server has, as data: its paths, its demands, its answers, its errors.
///
/// A new persona follows the specifications until its quirks are set to something else.
public struct Persona: Sendable, Hashable {
    /// What configuration and descriptions call it: `github`.
    public var name: String
    public var addresses: Addresses
    /// The scopes that can be asked for.
    public var scopes: [String]
    /// Whether it is an OpenID provider: metadata, ID tokens, keys, a userinfo endpoint and one that ends sessions.
    public var isOpenIDProvider = false
    public var authorization = AuthorizationQuirks()
    public var tokenRequests = TokenRequestQuirks()
    public var tokenAnswers = TokenAnswerQuirks()
    public var errors = ErrorQuirks()
    public var tokens = TokenQuirks()
    /// The quirks for clients of a kind that are not treated as the others.
    public var tokensByKind: [ClientKind: TokenQuirks] = [:]
    /// nil where there is no sign-in by device.
    public var device: DeviceQuirks?
    public var revocation = Revocation.standard(path: "/revoke")
    public var api = APIQuirks()
    /// Introspection, registration and pushed requests; only of OpenID providers.
    public var messages = MessageQuirks()
    /// nil where `response_type=token` is not known.
    public var implicit: ImplicitQuirks?
    /// Where a code or token is shown for people to copy; nil for nowhere.
    public var pinPath: String?
    /// Where GraphQL is spoken; nil for nowhere.
    public var graphQLPath: String?

    public init(name: String, addresses: Addresses, scopes: [String]) {
        self.name = name
        self.addresses = addresses
        self.scopes = scopes
    }
}

extension Persona {
    /// Paths at the server, each with its slash.
    public struct Addresses: Sendable, Hashable {
        public var authorization: String
        public var token: String
        /// Where the account of a token can be asked for besides `/user`; nil for none.
        public var account: String?

        public init(authorization: String = "/authorize", token: String = "/token", account: String? = nil) {
            self.authorization = authorization
            self.token = token
            self.account = account
        }
    }

    /// How a token's life can be ended.
    public enum Revocation: Sendable, Hashable {
        case none
        /// RFC 7009, or nearly.
        case standard(path: String)
        /// `DELETE /applications/CLIENT-ID/token` and `…/grant`, under a path of the API.
        case gitHubApplications(under: String)
        /// A request of this method that carries the token itself as its authorization.
        case ownToken(method: String, path: String)
    }

    /// What GitHub calls the two kinds of registration; they get different tokens. Without meaning for other personas.
    public enum ClientKind: Sendable, Hashable {
        /// Tokens that neither expire nor can be refreshed.
        case oauthApp
        /// Tokens that expire, refresh tokens that can be used once, permissions in place of scopes.
        case gitHubApp
    }

    /// What tokens the server gives out for a consent.
    public struct TokenQuirks: Sendable, Hashable {
        public enum RefreshTokens: Sendable, Hashable {
            case always
            case never
            /// Only where the authorization request has this parameter with this value.
            case forParameter(String, String)
            /// Only where this scope was asked for.
            case forScope(String)
        }

        public var accessTokenPrefix = ""
        public var accessTokensExpire = true
        public var refreshTokenPrefix = ""
        public var refreshTokens = RefreshTokens.always
        /// Whether a refresh token can be used once only, and its answer brings the next.
        public var rotatesRefreshTokens = true
        /// Whether the access tokens of a grant die when it is refreshed.
        public var refreshEndsAccessTokens = false

        public init() {}
    }
}
