import AuthHubPrimitives
import Platform

/// A user's authorization for a client.
struct AuthorizationGrant: Sendable, Hashable {
    let clientID: String
    let userID: Int
    let scope: [String]
    let nonce: String?
    let authenticatedAt: Date
    /// The browser session in which the user signed in (`sid`).
    var sessionID: String?
    /// The authentication context class of the sign-in (`acr`).
    var contextClass: String?
    /// Whether refresh tokens may be issued for it.
    var mayBeRefreshed = true
    var isFromDevice = false
    /// The target resources (RFC 8707); empty for all resources.
    var resources: [String] = []
    /// The `authorization_details` (RFC 9396).
    var details: JSONValue?
    /// The claims that the authorization request names for the ID token (OpenID Connect Core 1.0 §5.5).
    var requestedClaims: [String] = []

    /// The user ID of a grant to the client itself (RFC 6749 §4.4).
    static let nobody = 0
}

/// The parameters to which a code is bound (RFC 6749 §4.1.2, RFC 7636 §4.4).
struct CodeBinding: Sendable {
    let redirectURI: String
    /// Whether the authorization request had a redirect URI. If not, the token request need not have one either (RFC 6749 §4.1.3).
    let redirectURIWasSent: Bool
    let codeChallenge: String?
    var quirks = Persona.AuthorizationQuirks()
}

/// The format and the lifetimes of a client's tokens.
struct TokenStyle: Sendable, Hashable {
    let accessTokenPrefix: String
    /// The lifetime of access tokens; nil for tokens that do not expire.
    let accessTokenLifetime: Duration?
    let refreshTokenPrefix: String
    /// The lifetime of refresh tokens; nil for clients without refresh tokens.
    var refreshTokenLifetime: Duration?
    /// Whether refreshing a grant invalidates its access tokens.
    let refreshEndsAccessTokens: Bool
    /// Whether a refresh token can be used only once, and each response includes a new one.
    var rotatesRefreshTokens = true
}

extension TokenStyle {
    init(_ quirks: Persona.TokenQuirks, lifetimes: DevelopmentServerConfiguration.Lifetimes) {
        self.init(
            accessTokenPrefix: quirks.accessTokenPrefix,
            accessTokenLifetime: quirks.accessTokensExpire ? lifetimes.accessToken : nil,
            refreshTokenPrefix: quirks.refreshTokenPrefix,
            refreshTokenLifetime: quirks.refreshTokens == .never ? nil : lifetimes.refreshToken,
            refreshEndsAccessTokens: quirks.refreshEndsAccessTokens,
            rotatesRefreshTokens: quirks.rotatesRefreshTokens)
    }
}

/// The tokens of one response of the token endpoint.
struct IssuedTokens: Sendable {
    var accessToken: String
    let accessTokenLifetime: Duration?
    let refreshToken: String?
    let refreshTokenLifetime: Duration?
    let grant: AuthorizationGrant
    /// The scope of the access token: the grant's scope or a part of it.
    let scope: [String]
    /// Additional or different members of the response.
    var members = JSONObject()
}

/// The reason why a code or a refresh token is rejected.
enum GrantRefusal: Error, Hashable, Sendable {
    case unknown
    case expired
    case otherClient
    case redirectURIDiffers
    case verifierMissing
    case verifierWithoutChallenge
    case verifierRefused
    case verifierWrong
    /// A code or refresh token was used twice; the tokens issued for it are revoked.
    case usedBefore(revokedFamily: Bool)
    case scopeNotGranted
}
