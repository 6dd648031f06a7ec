import AuthHubPrimitives
import JOSE
import OAuthProtocol
import Platform

/// An ID token of a typical size, with everything that its verification needs.
struct SignedIDToken {
    private static let issuer = "https://as.example"
    private static let clientID = "s6BhdRkqt3"
    private static let accessToken = Secret(String(repeating: "aZ09-_.~", count: 80))
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    let size: Int
    private let text: Secret<String>
    private let keys: JSONWebKeySet
    private let expectation: IDTokenExpectation

    init(_ algorithm: SignatureAlgorithm) async throws {
        let key = try SoftwareSigningKey.generate(algorithm)
        var server = ProviderProfile(
            name: "plain", displayName: "Plain", issuer: Self.issuer,
            endpoints: Endpoints(
                authorization: Self.issuer + "/authorize", token: Self.issuer + "/token", jwks: Self.issuer + "/keys"))
        server.quirks.identity.algorithms = [algorithm.rawValue]
        guard
            let expectation = IDTokenExpectation(
                scope: ["openid"], nonce: Secret("n-0S6_WzA2Mj0123456789abcdefghijklmnopqrstu"), client: OAuthClient(id: Self.clientID),
                at: server)
        else { throw Unexpected() }
        self.expectation = expectation
        keys = JSONWebKeySet([key.publicKey])
        text = try await JSONWebSignature.sign(Self.claims(hashedWith: algorithm), with: key, type: "JWT")
        size = text.reveal().utf8.count
    }

    private static func claims(hashedWith algorithm: SignatureAlgorithm) throws -> JSONObject {
        let hash = algorithm.leftHalfHash(of: accessToken) ?? ""
        let text = """
            {"iss":"\(issuer)","sub":"248289761001","aud":"\(clientID)","exp":1800003600,"iat":1800000000,"auth_time":1799999990,\
            "nonce":"n-0S6_WzA2Mj0123456789abcdefghijklmnopqrstu","at_hash":"\(hash)","sid":"08a5019c-17e1-4977-8f42-65a12843ea02",\
            "name":"Jane Doe","preferred_username":"j.doe","email":"janedoe@example.com","email_verified":true}
            """
        guard let claims = try JSONValue(strict: text.utf8).object else { throw Unexpected() }
        return claims
    }

    /// Verifies the signature and the claims, including the hash of the access token.
    func verify() throws { try verify(with: Self.accessToken) }

    /// Verifies the signature and the claims except the hash of the access token, which libraries for JSON Web Tokens do not check either.
    func verifyWithoutHash() throws { try verify(with: nil) }

    private func verify(with accessToken: Secret<String>?) throws {
        let token = try expectation.validate(text, keys: keys, accessToken: accessToken, on: .signIn, at: Self.now)
        guard token.subject == "248289761001" else { throw Unexpected() }
    }

    private struct Unexpected: Error {}
}
