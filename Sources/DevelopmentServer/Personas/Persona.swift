/// A provider that the server imitates: its paths, requirements, responses and errors, as data.
///
/// A new persona follows the specifications, except for the quirks that you set.
public struct Persona: Sendable, Hashable {
    /// The name of the persona in configurations and descriptions, such as `github`.
    public var name: String
    /// The paths of the endpoints.
    package var addresses: Addresses
    /// The scopes that can be requested.
    package var scopes: [String]
    /// Whether it is an OpenID provider: metadata, ID tokens, keys, a userinfo endpoint and an end session endpoint.
    package var isOpenIDProvider = false
    /// Whether it issues ID tokens. A provider without metadata may do so, too.
    package var issuesIDTokens: Bool { isOpenIDProvider || addresses.keys != nil }
    /// The quirks of the authorization endpoint.
    package var authorization = AuthorizationQuirks()
    /// The quirks of token requests.
    package var tokenRequests = TokenRequestQuirks()
    /// The quirks of token responses.
    package var tokenAnswers = TokenAnswerQuirks()
    /// The quirks of the token endpoint's error responses.
    package var errors = ErrorQuirks()
    /// The quirks of issued tokens, unless ``tokensByKind`` has others for the client's kind.
    package var tokens = TokenQuirks()
    /// The quirks for client kinds that are treated differently.
    package var tokensByKind: [ClientKind: TokenQuirks] = [:]
    /// The quirks of the device flow; nil if it is not supported.
    package var device: DeviceQuirks?
    /// The way a token is revoked; by default, as RFC 7009 specifies, at `/revoke`.
    package var revocation = Revocation.standard(path: "/revoke")
    /// The requirements and the responses of the API.
    package var api = APIQuirks()
    /// The quirks of ID tokens, keys and the userinfo endpoint; only for OpenID providers.
    package var openIDConnect = OpenIDQuirks()
    /// The quirks of introspection, registration and pushed requests; only for OpenID providers.
    package var messages = MessageQuirks()
    /// Whether client IDs may be the URLs of metadata documents.
    package var readsClientDocuments = false
    /// The quirks of `response_type=token`; nil if it is not supported.
    package var implicit: ImplicitQuirks?
    /// The path of the page that shows a code or token for users to copy; nil for none.
    package var pinPath: String?
    /// The path of the GraphQL endpoint; nil for none.
    package var graphQLPath: String?

    /// Creates a persona without quirks, which is not an OpenID provider.
    package init(name: String, addresses: Addresses, scopes: [String]) {
        self.name = name
        self.addresses = addresses
        self.scopes = scopes
    }
}

extension Persona {
    /// The response types of the authorization endpoint. The order of the words in a request does not matter (OAuth 2.0 Multiple Response
    /// Type Encoding Practices §5).
    var responseTypes: [String] {
        ["code"] + (implicit == nil ? [] : ["token"])
            + (isOpenIDProvider ? ["id_token", "id_token token", "code id_token", "code token", "code id_token token"] : [])
    }

    func supportsResponseTypes(_ types: Set<String>) -> Bool {
        responseTypes.contains { Set($0.split(separator: " ").map(String.init)) == types }
    }

    /// Paths at the server, each with its leading slash.
    package struct Addresses: Sendable, Hashable {
        /// The path of the authorization endpoint, such as `/authorize`.
        package var authorization: String
        /// The path of the token endpoint, such as `/token`.
        package var token: String
        /// The path of the token's account besides `/user`; nil for none.
        package var account: String?
        /// The path of the key set, if only this path is different from an OpenID provider's; nil for none.
        package var keys: String?
        /// The path of the userinfo endpoint, if only this path is different from an OpenID provider's; nil for none.
        package var userInfo: String?

        /// Creates paths, with the defaults for those that are omitted.
        package init(authorization: String = "/authorize", token: String = "/token", account: String? = nil) {
            self.authorization = authorization
            self.token = token
            self.account = account
        }
    }

    /// The way a token is revoked.
    package enum Revocation: Sendable, Hashable {
        case none
        /// RFC 7009, or similar.
        case standard(path: String)
        /// `DELETE /applications/CLIENT-ID/token` and `…/grant`, under a path of the API.
        case gitHubApplications(under: String)
        /// A request with this method that has the token itself in its `Authorization` field.
        case ownToken(method: String, path: String)
    }

    /// The two kinds of registration at GitHub, which issue different tokens. Other personas ignore the kind.
    public enum ClientKind: Sendable, Hashable {
        /// An OAuth app: its tokens do not expire and cannot be refreshed.
        case oauthApp
        /// A GitHub App: its tokens expire, each refresh token can be used once, and permissions replace scopes.
        case gitHubApp
    }

    /// The tokens that the server issues after a consent.
    package struct TokenQuirks: Sendable, Hashable {
        /// The condition for issuing a refresh token.
        package enum RefreshTokens: Sendable, Hashable {
            case always
            case never
            /// Only if the authorization request has this parameter with this value.
            case forParameter(String, String)
            /// Only if this scope was requested.
            case forScope(String)
        }

        /// The prefix of access tokens, before their random part.
        package var accessTokenPrefix = ""
        /// Whether access tokens expire; if not, responses contain no lifetime.
        package var accessTokensExpire = true
        /// The prefix of refresh tokens, before their random part.
        package var refreshTokenPrefix = ""
        /// The condition for issuing refresh tokens; by default, none is required.
        package var refreshTokens = RefreshTokens.always
        /// Whether a refresh token can be used only once, and each response includes a new one.
        package var rotatesRefreshTokens = true
        /// Whether refreshing a grant invalidates its access tokens.
        package var refreshEndsAccessTokens = false

        /// Whether access tokens that were requested for resources are signed (RFC 9068); all others are opaque.
        package var signsAccessTokensForResources = false

        /// Creates the quirks of a server whose access tokens expire and whose refresh tokens rotate.
        package init() {}
    }
}
