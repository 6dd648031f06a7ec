import AuthHub
import AuthHubPrimitives
import CredentialStorage
import HTTPLoading
import HTTPTypes
import JOSE
import OAuthProtocol
import Platform
import SignedIn

/// A server whose token endpoint issues ID tokens. The authorization code that it receives is the nonce of the authorization request.
struct SignInServer: Transport {
    private static let issuer = "https://as.example"
    private static let clientID = "benchmark"
    private static let accessToken = String(repeating: "aZ09-_.~", count: 80)

    let sampleNonce = String(repeating: "n", count: 43)
    private let key: SoftwareSigningKey

    init() throws {
        key = try SoftwareSigningKey.generate(.es256)
    }

    func configuration(scope: Scope, store: any CredentialStore = OneRecordStore()) -> OAuthSession.Configuration {
        var server = ProviderProfile(
            name: "benchmark", displayName: "Benchmark", issuer: Self.issuer,
            endpoints: Endpoints(
                authorization: Self.issuer + "/authorize", token: Self.issuer + "/token", jwks: Self.issuer + "/keys"))
        server.quirks.identity.algorithms = [SignatureAlgorithm.es256.rawValue]
        return OAuthSession.Configuration(
            server: server, client: OAuthClient(id: Self.clientID), scope: scope, grant: .authorizationCode(ConsentingBrowser()),
            store: store, dependencies: Dependencies(transport: self))
    }

    func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        guard request.head.method == .post else { return response(["keys": [.object(key.publicKey.publicMembers)]]) }
        var members = JSONObject()
        members["access_token"] = .string(Self.accessToken)
        members["token_type"] = "Bearer"
        members["expires_in"] = 3600
        if let nonce = nonce(in: request) { members["id_token"] = try? await .string(idToken(nonce: nonce)) }
        return response(.object(members))
    }

    func idToken(nonce: String) async throws -> String {
        let now = Int64(Date().timeIntervalSince1970)
        var claims = JSONObject()
        claims["iss"] = .string(Self.issuer)
        claims["sub"] = "248289761001"
        claims["aud"] = .string(Self.clientID)
        claims["exp"] = .number(JSONNumber(now + 3600))
        claims["iat"] = .number(JSONNumber(now))
        claims["nonce"] = .string(nonce)
        claims["at_hash"] = key.algorithm.leftHalfHash(of: Secret(Self.accessToken)).map(JSONValue.string)
        claims["name"] = "Jane Doe"
        claims["email"] = "janedoe@example.com"
        return try await JSONWebSignature.sign(claims, with: key, type: "JWT").reveal()
    }

    private func nonce(in request: LoadRequest) -> String? {
        let code = String(decoding: request.body.bytes ?? [], as: UTF8.self).split(separator: "&").first { $0.hasPrefix("code=") }
        return code.map { String($0.dropFirst("code=".count)) }.flatMap { $0 == ConsentingBrowser.plainCode ? nil : $0 }
    }

    private func response(_ json: JSONValue) -> LoadResponse {
        LoadResponse(HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]), body: .bytes(json.serialized()))
    }
}
