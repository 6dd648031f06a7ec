import AuthHubPrimitives
import Crypto
import JOSE
import OAuthProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A server whose signatures are always valid, so that only the claims decide whether a token is accepted.
enum SignedClaims {
    static let issuer = "https://as.example"
    /// The issuer of a server whose users are in tenants.
    static let template = "https://as.example/{tenantid}/v2.0"

    static let server = server(issuer: issuer)

    static func server(issuer: String?, template: String? = nil) -> ProviderProfile {
        var quirks = ProviderQuirks()
        quirks.identity.algorithms = ["HS256"]
        quirks.discovery.issuerTemplate = template
        let endpoints = Endpoints(
            authorization: "https://as.example/authorize", token: "https://as.example/token", jwks: "https://as.example/jwks")
        var server = ProviderProfile(name: "plain", displayName: "Plain", issuer: issuer, endpoints: endpoints)
        server.quirks = quirks
        return server
    }

    /// The client secret, which the server signs with.
    static let keys = JSONWebKeySet([JSONWebKey(clientSecret: Secret(secret))])

    /// Signs claims with an HMAC, which is much faster than a signature.
    static func token(_ claims: [UInt8]) -> Secret<String> {
        let signed = header + "." + Base64URL.encode(claims)
        let code = HMAC<SHA256>.authenticationCode(for: Array(signed.utf8), using: SymmetricKey(data: Array(secret.utf8)))
        return Secret(signed + "." + Base64URL.encode(code))
    }

    private static let header = Base64URL.encode(#"{"alg":"HS256"}"#.utf8)
    private static let secret = "the secret of the client, 32 bytes"
}

/// The claims of a token, read with a decoder that is not part of the library.
struct PlainClaims: Decodable {
    let iss: String?
    let sub: String?
    let aud: Audience?
    let azp: String?
    let iat: Double?
    let exp: Double?
    let nbf: Double?
    let nonce: String?
    let sid: String?
    let jti: String?
    let tid: String?
    let events: [String: Event]?

    struct Event: Decodable {}

    struct Audience: Decodable {
        let names: [String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            names = try (try? container.decode(String.self)).map { [$0] } ?? container.decode([String].self)
        }
    }

    init?(_ input: [UInt8]) {
        guard let claims = try? JSONDecoder().decode(Self.self, from: Data(input)) else { return nil }
        self = claims
    }

    func isFor(_ client: String) -> Bool { aud?.names.contains(client) ?? false }
}
