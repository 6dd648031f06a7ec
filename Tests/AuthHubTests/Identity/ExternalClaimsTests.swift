import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import HTTPLoading
import HTTPTypes
import JOSE
import OAuthProtocol
import Synchronization
import Testing

@testable import AuthHub

/// A claims provider, with an endpoint for distributed claims.
private final class ClaimsProvider: Transport {
    static let issuer = "https://bank.example"
    static let clientSecret = Secret("secret-of-at-least-thirty-two-bytes!")

    let openID: OpenIDProvider
    let key: SoftwareSigningKey
    /// The response of the claims endpoint.
    let answer = Mutex((status: 200, text: ""))
    /// The requests to other servers than the OpenID provider: their URLs and their `Authorization` fields.
    let requests = Mutex<[(url: String, authorization: String?)]>([])

    var sent: [(url: String, authorization: String?)] { requests.withLock { $0 } }

    init(_ openID: OpenIDProvider) throws {
        self.openID = openID
        key = try .generate(.es256)
    }

    static let profile = {
        var profile = ProviderProfile(
            name: "bank", displayName: "Bank", issuer: issuer, endpoints: Endpoints(jwks: issuer + "/keys"))
        profile.quirks.identity.algorithms = ["ES256"]
        return profile
    }()

    func sign(_ changes: [(String, JSONValue?)] = [], with other: SoftwareSigningKey? = nil, type: String? = nil) async throws -> String {
        var claims = JSONObject()
        claims["iss"] = .string(Self.issuer)
        claims["sub"] = "jane-at-the-bank"
        claims["address"] = ["locality": "Bern"]
        claims["credit_score"] = 650
        claims["email"] = "other@bank.example"
        for (name, value) in changes { claims[name] = value }
        return try await JSONWebSignature.sign(claims, with: other ?? key, type: type).reveal()
    }

    func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        guard request.head.authority != "as.example" else { return try await openID.send(request) }
        requests.withLock {
            $0.append(("https://\(request.head.authority ?? "")\(request.head.path ?? "")", request.head.headerFields[.authorization]))
        }
        guard request.head.path == "/keys" else {
            let (status, text) = answer.withLock { $0 }
            return LoadResponse(
                HTTPResponse(status: .init(code: status), headerFields: [.contentType: "application/jwt"]), body: .bytes(Array(text.utf8)))
        }
        let set: JSONValue = ["keys": .array([.object(key.publicKey.publicMembers)])]
        return LoadResponse(
            HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]), body: .bytes(set.serialized()))
    }

    func session(_ loaders: [any Loader] = []) -> OAuthSession {
        var dependencies = Dependencies(transport: self) { self.openID.time.withLock { $0 } }
        dependencies.serverLoaders = loaders
        let browser = ScriptedBrowser { url in
            self.openID.change { $0.nonce = parameter("nonce", of: url) }
            return await consenting(url)
        }
        return OAuthSession(
            OAuthSession.Configuration(
                server: OpenIDProvider.profile, client: OAuthClient(id: "client", secret: Self.clientSecret, authentication: .post),
                scope: ["openid"], grant: .authorizationCode(browser), store: MemoryCredentialStore(), dependencies: dependencies))
    }

    /// The claims of the OpenID provider, with one source.
    static func claims(_ source: JSONValue, names: [String] = ["address", "credit_score", "email"]) -> JSONObject {
        var claims = JSONObject()
        claims["sub"] = "jane"
        claims["email"] = "jane@as.example"
        var claimNames = JSONObject()
        for name in names { claimNames[name] = "src1" }
        claims["_claim_names"] = .object(claimNames)
        claims["_claim_sources"] = ["src1": source]
        return claims
    }
}

struct ExternalClaimsTests {
    private let bank: ClaimsProvider

    init() throws {
        bank = try ClaimsProvider(OpenIDProvider())
    }

    private func read(
        _ source: JSONValue, names: [String] = ["address", "credit_score", "email"], trusting: [ProviderProfile] = [ClaimsProvider.profile],
        fetching: Bool = false
    ) async throws -> Result<ExternalClaims, SessionError> {
        let claims = ClaimsProvider.claims(source, names: names)
        let results = try await bank.session().externalClaims(in: claims, from: trusting, fetching: fetching)
        #expect(results.count == 1)
        return try #require(results.first)
    }

    @Test func `ID54: returns the signed claims of a trusted issuer, and none that the provider states itself`() async throws {
        let found = try await read(["JWT": .string(bank.sign())]).get()
        #expect(found.issuer == ClaimsProvider.issuer)
        #expect(found.subject == "jane-at-the-bank")
        #expect(found.claims.members.map(\.name) == ["address", "credit_score"], "not email")
        let fewer = try await read(["JWT": .string(bank.sign())], names: ["credit_score", "iss", "sub"]).get()
        #expect(fewer.claims.members.map(\.name) == ["credit_score"], "only those that the provider assigns to the source")
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var changes: [(String, JSONValue?)] = []
        var type: String?
        var isForged = false
        var isTrusted = true
    }

    @Test(arguments: [
        Row(testDescription: "ID54: an issuer that is not trusted", isTrusted: false),
        Row(testDescription: "ID54: another issuer", changes: [("iss", "https://evil.example")]),
        Row(testDescription: "ID54: no issuer", changes: [("iss", nil)]),
        Row(testDescription: "ID54: another key", isForged: true),
        Row(testDescription: "ID54: expired", changes: [("exp", 1_000)]),
        Row(testDescription: "ID54: not valid yet", changes: [("nbf", 4_000_000_000)]),
        Row(testDescription: "ID54: an ID token", changes: [("nonce", "n")]),
        Row(testDescription: "ID54: another kind of token", type: "at+jwt"),
    ])
    func `rejects a token unless it has claims that a trusted issuer signed`(row: Row) async throws {
        let key = row.isForged ? try SoftwareSigningKey.generate(.es256, keyID: bank.key.publicKey.keyID) : nil
        let text = try await bank.sign(row.changes, with: key, type: row.type)
        let result = try await read(["JWT": .string(text)], trusting: row.isTrusted ? [ClaimsProvider.profile] : [])
        #expect(result.error?.code == .securityCheckFailed, "\(result)")
        if !row.isTrusted { #expect(bank.sent.isEmpty, "an issuer that is not trusted causes no request") }
    }

    @Test func `ID54: an HMAC with the client secret is not a signature of the claims provider`() async throws {
        var profile = ClaimsProvider.profile
        profile.quirks.identity.algorithms = ["HS256"]
        let key = try SoftwareSigningKey(clientSecret: ClaimsProvider.clientSecret)
        let text = try await bank.sign(with: key)
        #expect(try await read(["JWT": .string(text)], trusting: [profile]).error?.code == .securityCheckFailed)
    }

    @Test func `ID53: distributed claims are fetched only if requested, with their own token`() async throws {
        let text = try await bank.sign()
        bank.answer.withLock { $0.text = text }
        let source: JSONValue = ["endpoint": "https://claims.example/jane", "access_token": "its-own"]
        let skipped = try await read(source)
        #expect(skipped.error?.code == .misconfigured)
        #expect(bank.sent.isEmpty)
        let found = try await read(source, fetching: true).get()
        #expect(found.claims["credit_score"] == 650)
        let requests = bank.sent
        #expect(requests.map(\.url) == ["https://claims.example/jane", "https://bank.example/keys"])
        #expect(requests.map(\.authorization) == ["Bearer its-own", nil])
        _ = try await read(["endpoint": "https://claims.example/jane"], fetching: true).get()
        #expect(bank.sent.last?.authorization == nil)
    }

    @Test func `ID53: the loaders for the server, which may add secrets, get no request for distributed claims`() async throws {
        let text = try await bank.sign()
        bank.answer.withLock { $0.text = text }
        let hosts = Mutex<[String?]>([])
        let loader = ModifyLoader(request: { request in hosts.withLock { $0.append(request.head.authority) } })
        let claims = ClaimsProvider.claims(["endpoint": "https://claims.example/jane"])
        let results = try await bank.session([loader]).externalClaims(in: claims, from: [ClaimsProvider.profile], fetching: true)
        #expect(try results.first?.get().claims["credit_score"] == 650)
        #expect(hosts.withLock { $0 } == ["bank.example"])
    }

    @Test(arguments: [
        ("ID53: http", "http://claims.example/jane"), ("ID53: a private network", "https://192.168.1.1/jane"),
        ("ID53: this machine", "https://localhost/jane"), ("ID53: cloud metadata", "https://169.254.169.254/latest"),
        ("ID53: not a URL", "jane"),
    ])
    func `sends no request to an endpoint that is not on the public internet`(description: String, endpoint: String) async throws {
        let result = try await read(["endpoint": .string(endpoint), "access_token": "its-own"], fetching: true)
        #expect(result.error?.code == .securityCheckFailed, "\(result)")
        #expect(bank.sent.isEmpty)
    }

    @Test(arguments: [("ID53: an error", 401, ""), ("ID53: a redirect", 302, ""), ("ID53: not signed", 200, #"{"credit_score":850}"#)])
    func `rejects a response without signed claims`(description: String, status: Int, text: String) async throws {
        bank.answer.withLock { $0 = (status, text) }
        let result = try await read(["endpoint": "https://claims.example/jane"], fetching: true)
        #expect([SessionError.Code.serverMisbehaved, .securityCheckFailed].contains(result.error?.code), "\(result)")
    }

    @Test(arguments: [
        ("no member with the sources", #"{"_claim_names":{"address":"src1"}}"#),
        ("a list of sources", #"{"_claim_names":{},"_claim_sources":[]}"#),
        ("a source with neither a token nor an endpoint", #"{"_claim_names":{},"_claim_sources":{"src1":{}}}"#),
        (
            "an access token that would start another header field",
            #"{"_claim_names":{},"_claim_sources":{"src1":{"endpoint":"https://claims.example","access_token":"a\r\nb"}}}"#
        ),
        ("21 sources", Self.sources(names: 0, sources: 21)), ("1001 names", Self.sources(names: 1001, sources: 0)),
        ("a source with both", #"{"_claim_names":{},"_claim_sources":{"src1":{"JWT":"a","endpoint":"b"}}}"#),
    ])
    func `ID54: rejects a malformed description of the sources`(description: String, json: String) async throws {
        let claims = try #require(try JSONValue(strict: Array(json.utf8)).object)
        let error = await #expect(throws: SessionError.self) { try await bank.session().externalClaims(in: claims, from: []) }
        #expect(error?.code == .serverMisbehaved)
    }

    private static func sources(names: Int, sources: Int) -> String {
        let names = (0..<names).map { #""c\#($0)":"s""# }.joined(separator: ",")
        let sources = (0..<sources).map { #""s\#($0)":{"JWT":"a"}"# }.joined(separator: ",")
        return #"{"_claim_names":{\#(names)},"_claim_sources":{\#(sources)}}"#
    }

    @Test func `without sources, there are no claims`() async throws {
        #expect(try await bank.session().externalClaims(in: JSONObject(), from: []).isEmpty)
    }
}
