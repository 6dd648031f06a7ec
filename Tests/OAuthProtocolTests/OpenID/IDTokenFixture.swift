import AuthHubPrimitives
import JOSE
import Platform
@testable import OAuthProtocol

/// A server that signs ID tokens, and the claims of a token that passes every check.
struct IDTokenFixture {
    static let accessToken = Secret("the-access-token")
    static let nonce = "n-0S6_WzA2Mj"

    let key: SoftwareSigningKey
    var server = openIDServer
    var claims: JSONObject

    init(signingWith algorithm: SignatureAlgorithm = .es256, at server: ProviderProfile = openIDServer) throws {
        key = try SoftwareSigningKey.generate(algorithm)
        self.server = server
        claims = JSONObject()
        claims["iss"] = "https://as.example"
        claims["sub"] = "248289761001"
        claims["aud"] = .string(client.id)
        claims["exp"] = .number(JSONNumber(seconds + 3600))
        claims["iat"] = .number(JSONNumber(seconds))
        claims["nonce"] = .string(Self.nonce)
    }

    func token(type: String? = "JWT") async throws -> Secret<String> {
        try await JSONWebSignature.sign(claims, with: key, type: type)
    }

    func validate(
        _ text: Secret<String>, nonce: String? = Self.nonce, maximumAge: Int? = nil, acrValues: [String] = [],
        on occasion: IDTokenExpectation.Occasion = .signIn
    ) throws -> Result<IDToken, OAuthError> {
        guard
            let expectation = IDTokenExpectation(
                scope: ["openid"], nonce: nonce.map(Secret.init), maximumAge: maximumAge, acrValues: acrValues, client: client,
                at: server)
        else { throw NoExpectation() }
        do throws(OAuthError) {
            return .success(
                try expectation.validate(
                    text, keys: JSONWebKeySet([key.publicKey]), accessToken: Self.accessToken, on: occasion, at: now))
        } catch {
            return .failure(error)
        }
    }

    struct NoExpectation: Error {}
}

/// The time of the checks, in seconds.
let seconds = Int64(now.timeIntervalSince1970)

/// A server with OpenID Connect, which signs ID tokens with any algorithm.
let openIDServer = {
    var server = plainServer
    server.endpoints?.jwks = "https://as.example/keys"
    server.quirks.identity.algorithms = ["RS256", "PS256", "ES256", "ES384", "ES512", "EdDSA"]
    return server
}()

extension JSONValue {
    /// A time relative to that of the checks.
    static func time(_ offset: Int64) -> JSONValue { .number(JSONNumber(seconds + offset)) }
}
