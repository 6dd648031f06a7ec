import AuthHubPrimitives

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a person allowed a client.
struct AuthorizationGrant: Sendable, Hashable {
    let clientID: String
    let userID: Int
    let scope: [String]
    let nonce: String?
    let authenticatedAt: Date
    /// Whether refresh tokens may be issued for it.
    var mayBeRefreshed = true
    var isFromDevice = false
    /// What it is for (RFC 8707); empty for everything.
    var resources: [String] = []
    /// `authorization_details` (RFC 9396).
    var details: JSONValue?

    /// The user of what a client was granted for itself (RFC 6749 §4.4).
    static let nobody = 0
}

/// What a code is bound to (RFC 6749 §4.1.2, RFC 7636 §4.4).
struct CodeBinding: Sendable {
    let redirectURI: String
    /// Where the authorization request named no redirect URI, the token request need not either (RFC 6749 §4.1.3).
    let redirectURIWasSent: Bool
    let codeChallenge: String?
    var quirks = Persona.AuthorizationQuirks()
}

/// How tokens for a client look and how long they live.
struct TokenStyle: Sendable, Hashable {
    let accessTokenPrefix: String
    /// nil for tokens that do not expire.
    let accessTokenLifetime: Duration?
    let refreshTokenPrefix: String
    /// nil for clients that get no refresh token.
    var refreshTokenLifetime: Duration?
    /// Whether the access tokens of a grant die when it is refreshed.
    let refreshEndsAccessTokens: Bool
    /// Whether a refresh token can be used once only, and its answer brings the next.
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

/// The tokens of one answer of the token endpoint.
struct IssuedTokens: Sendable {
    let accessToken: String
    let accessTokenLifetime: Duration?
    let refreshToken: String?
    let refreshTokenLifetime: Duration?
    let grant: AuthorizationGrant
    /// The scope of the access token: that of the grant or less.
    let scope: [String]
    /// What the answer tells besides, or otherwise.
    var members = JSONObject()
}

/// Why a code or a refresh token yields no tokens.
enum GrantRefusal: Error, Hashable, Sendable {
    case unknown
    case expired
    case otherClient
    case redirectURIDiffers
    case verifierMissing
    case verifierWithoutChallenge
    case verifierRefused
    case verifierWrong
    /// A code or refresh token came a second time; the tokens issued for it are revoked.
    case usedBefore(revokedFamily: Bool)
    case scopeNotGranted
}
