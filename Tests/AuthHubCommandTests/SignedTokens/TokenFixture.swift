import Platform
@testable import AuthHubCommand
import AuthHubPrimitives
import HTTPTypes
import JOSE
import OAuthProtocol

/// A server that signs tokens, and its key set.
struct TokenFixture {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)

    let key: SoftwareSigningKey
    var claims = JSONObject()

    init(_ algorithm: SignatureAlgorithm = .es256) throws {
        key = try SoftwareSigningKey.generate(algorithm, keyID: "k1")
        claims["iss"] = "https://as.example"
        claims["sub"] = "248289761001"
        claims["aud"] = "app"
        claims["exp"] = 1_800_003_600
        claims["iat"] = 1_800_000_000
    }

    func token(type: String? = "JWT") async throws -> Secret<String> {
        try await JSONWebSignature.sign(claims, with: key, type: type)
    }

    /// The server's keys, as read from its key set with more members.
    func keys(and others: [JSONValue] = []) throws -> KeySetReport {
        try Self.report([.object(key.publicKey.publicMembers)] + others)
    }

    static func report(_ keys: [JSONValue], contentType: String = "application/json") throws -> KeySetReport {
        let document: JSONValue = ["keys": .array(keys)]
        let head = HTTPResponse(status: .ok, headerFields: [.contentType: contentType])
        return KeySetReport(
            url: "https://as.example/keys", issuer: "https://as.example",
            response: try KeySetResponse(head, body: Secret(document.serialized()), at: "https://as.example/keys"))
    }

    func inspect(_ token: Secret<String>, clientID: String? = "app") throws -> TokenInspection {
        try TokenInspection(token, keys: keys(), issuer: "https://as.example", clientID: clientID, now: Self.now)
    }

    /// A token with a given header and payload, and a signature that was never computed.
    static func unsigned(_ header: JSONValue, _ payload: JSONValue, signature: String = "c2lnbmF0dXJl") -> Secret<String> {
        Secret("\(Base64URL.encode(header.serialized())).\(Base64URL.encode(payload.serialized())).\(signature)")
    }
}
