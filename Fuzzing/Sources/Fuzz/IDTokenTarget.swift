import AuthHubPrimitives
import JOSE
import OAuthProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The claims of ID tokens, for a server with one issuer and for one with an issuer per tenant.
enum IDTokenTarget: Target {
    static let name = "id-token"

    private static let nonce = "n-0S6_WzA2Mj"
    private static let servers = [SignedClaims.server, SignedClaims.server(issuer: nil, template: SignedClaims.template)]

    static func check(_ input: [UInt8]) throws(Violation) {
        let text = SignedClaims.token(input)
        for server in servers {
            let expectation = IDTokenExpectation(
                scope: ["openid"], nonce: Secret(nonce), maximumAge: nil, client: SignIn.client, at: server)
            guard let expectation else { throw Violation(sentence: "an ID token is expected") }
            let result = outcome { () throws(OAuthError) in
                try expectation.validate(text, keys: SignedClaims.keys, accessToken: Secret("token"), on: .signIn, at: SignIn.now)
            }
            guard case .success(let token) = result else { continue }
            guard let claims = PlainClaims(input) else { throw Violation(sentence: "another decoder can read the accepted claims") }
            if server.issuer != nil {
                try require(claims.iss == SignedClaims.issuer, "the issuer is the expected one")
            } else {
                try require(claims.iss == "https://as.example/\(claims.tid ?? "")/v2.0", "the issuer is that of the tenant")
                try require(claims.tid.map { !$0.contains("/") && !$0.isEmpty } ?? false, "a tenant does not change the URL's structure")
            }
            try require(claims.isFor(SignIn.client.id), "the token is for this client")
            try require(claims.azp == nil || claims.azp == SignIn.client.id, "the token was issued to this client")
            try require(claims.aud?.names.count == 1 || claims.azp != nil, "a token for several clients says which one it was issued to")
            try require(claims.nonce == nonce, "the nonce is the one that was sent")
            try require(claims.sub == token.subject && (1...255).contains(token.subject.utf8.count), "the subject has 1 to 255 characters")
            let now = SignIn.now.timeIntervalSince1970
            try require(claims.exp.map { $0 > now - 31 } ?? false, "the token has not expired")
            try require(claims.iat.map { $0 < now + 31 && $0 > now - 3601 } ?? false, "the token was issued in the last hour")
            try require(claims.nbf.map { $0 < now + 31 } ?? true, "the token is already valid")
            try require(!"\(token) \(String(reflecting: token))".contains(text.reveal()), "printing a token does not reveal it")
        }
    }
}
