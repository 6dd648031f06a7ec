import AuthHubPrimitives
import JOSE
import OAuthProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The claims of logout tokens.
enum LogoutTokenTarget: Target {
    static let name = "logout-token"

    private static let event = "http://schemas.openid.net/event/backchannel-logout"

    static func check(_ input: [UInt8]) throws(Violation) {
        let text = SignedClaims.token(input)
        let result = outcome { () throws(OAuthError) in
            try LogoutToken(text, keys: SignedClaims.keys, client: SignIn.client, at: SignedClaims.server, now: SignIn.now)
        }
        guard case .success(let token) = result else { return }
        guard let claims = PlainClaims(input) else { throw Violation(sentence: "another decoder can read the accepted claims") }
        try require(claims.iss == SignedClaims.issuer, "the issuer is the expected one")
        try require(claims.isFor(SignIn.client.id), "the token is for this client")
        try require(claims.events?[event] != nil, "the token says that the user signed out")
        try require(claims.nonce == nil, "an ID token is not a logout token")
        try require(claims.sub == token.subject && claims.sid == token.sessionID, "the user and the session are those of the token")
        try require(claims.sub != nil || claims.sid != nil, "the token names a user or a session")
        try require(claims.jti == token.id && !token.id.isEmpty, "the token has an ID")
        let now = SignIn.now.timeIntervalSince1970
        try require(claims.exp.map { $0 > now - 31 } ?? false, "the token has not expired")
        try require(claims.iat.map { $0 < now + 31 && $0 > now - 3601 } ?? false, "the token was issued in the last hour")
        try require(token.expiresAt.timeIntervalSince1970 <= now + 3631, "the token must be remembered for at most an hour")
    }
}
