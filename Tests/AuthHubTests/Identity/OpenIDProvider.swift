import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import HTTPLoading
import HTTPTypes
import JOSE
import OAuthProtocol
import Platform
import Synchronization
import WebAuthentication

@testable import AuthHub

/// A provider that signs ID tokens, and whose responses a test changes.
final class OpenIDProvider: Transport {
    struct State {
        var key: SoftwareSigningKey
        /// The keys in the key set.
        var published: [JSONWebKey]
        /// Changes of the claims of the next ID tokens.
        var changes: [(name: String, value: JSONValue?)] = []
        /// Whether token responses have an ID token.
        var hasIDToken = true
        /// Encrypts the ID tokens; nil if they are not encrypted.
        var seal: (@Sendable (Secret<String>) throws -> Secret<String>)?
        var isKeySetReachable = true
        /// The issuer that the keys in the key set sign for; nil if they name none.
        var keyIssuer: String?
        /// The granted scope in token responses; nil for none.
        var scope: String?
        var userInfo: (mediaType: String, body: [UInt8])?
        /// Where the UserInfo endpoint redirects to; nil if it responds itself.
        var redirect: String?
        /// How many requests for UserInfo are rejected because of their token.
        var rejections = 0
        /// The `Authorization` fields of the requests for UserInfo.
        var authorizations: [String?] = []
        /// The bodies of the requests for UserInfo.
        var userInfoForms: [String] = []
        var nonce: String?
        var count = 0
        /// The paths of the requests that arrived.
        var log: [String] = []
        var revoked: [String] = []
    }

    static let issuer = "https://as.example"
    static let profile = {
        var profile = ProviderProfile(
            name: "openid", displayName: "OpenID", issuer: issuer,
            endpoints: Endpoints(
                authorization: issuer + "/authorize", token: issuer + "/token", revocation: issuer + "/revoke",
                userInfo: issuer + "/userinfo", jwks: issuer + "/keys"))
        profile.quirks.identity.algorithms = ["ES256"]
        profile.accountEndpoint = issuer + "/userinfo"
        return profile
    }()

    let state: Mutex<State>
    let time = Mutex(start)

    init() throws {
        let key = try SoftwareSigningKey.generate(.es256)
        state = Mutex(State(key: key, published: [key.publicKey]))
    }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }
    func advance(by seconds: Double) { time.withLock { $0 = $0.addingTimeInterval(seconds) } }
    var published: [JSONWebKey] { state.withLock(\.published) }
    func count(of path: String) -> Int { state.withLock { state in state.log.count { $0 == path } } }
    var revoked: [String] { state.withLock(\.revoked) }

    /// Replaces the key, and publishes only the new one.
    func rotate() throws {
        let key = try SoftwareSigningKey.generate(.es256)
        change { state in (state.key, state.published) = (key, [key.publicKey]) }
    }

    func claims() -> JSONObject {
        let now = Int64(time.withLock { $0 }.timeIntervalSince1970)
        return state.withLock { state in
            var claims = JSONObject()
            claims["iss"] = .string(Self.issuer)
            claims["sub"] = "jane"
            claims["aud"] = "client"
            claims["iat"] = .number(JSONNumber(now))
            claims["exp"] = .number(JSONNumber(now + 3600))
            claims["nonce"] = state.nonce.map(JSONValue.string)
            claims["sid"] = "session-1"
            for (name, value) in state.changes { claims[name] = value }
            return claims
        }
    }

    /// The claims of a logout token that passes every check.
    func logoutClaims() -> JSONObject {
        var claims = self.claims()
        claims["nonce"] = nil
        claims["jti"] = "1"
        claims["events"] = ["http://schemas.openid.net/event/backchannel-logout": [:]]
        return claims
    }

    func sign(_ claims: JSONObject, type: String? = nil) async throws -> Secret<String> {
        try await JSONWebSignature.sign(claims, with: state.withLock(\.key), type: type)
    }

    func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        let path = request.head.path ?? ""
        change { $0.log.append(path) }
        switch path {
        case "/.well-known/oauth-authorization-server": return response(Self.metadata(["authorization": "authorize", "token": "token"]))
        case "/.well-known/openid-configuration": return response(Self.metadata(["jwks": "keys"]))
        case "/token": return try await tokens()
        case "/keys":
            let state = state.withLock { $0 }
            guard state.isKeySetReachable else { throw LoadError(.cannotConnect, for: request) }
            let keys = state.published.map { key -> JSONValue in
                var members = key.publicMembers
                members["issuer"] = state.keyIssuer.map(JSONValue.string)
                return .object(members)
            }
            return response(["keys": .array(keys)])
        case "/revoke":
            let form = try? FormParameters(decoding: String(decoding: request.body.bytes ?? [], as: UTF8.self))
            change { $0.revoked.append(form?["token"] ?? "") }
            return LoadResponse(HTTPResponse(status: .ok))
        case "/userinfo":
            change { state in
                state.authorizations.append(request.head.headerFields[.authorization])
                state.userInfoForms.append(String(decoding: request.body.bytes ?? [], as: UTF8.self))
            }
            if let target = state.withLock(\.redirect) {
                return LoadResponse(HTTPResponse(status: .found, headerFields: [.location: target]))
            }
            if state.withLock(\.rejections) > 0 {
                change { $0.rejections -= 1 }
                return LoadResponse(
                    HTTPResponse(status: .unauthorized, headerFields: [.wwwAuthenticate: #"Bearer error="invalid_token""#]))
            }
            guard let info = state.withLock(\.userInfo) else { return LoadResponse(HTTPResponse(status: .notFound)) }
            return LoadResponse(HTTPResponse(status: .ok, headerFields: [.contentType: info.mediaType]), body: .bytes(info.body))
        default: return LoadResponse(HTTPResponse(status: .notFound))
        }
    }

    /// One of the two metadata documents. Each names only some of the endpoints.
    private static func metadata(_ endpoints: [String: String]) -> JSONValue {
        var members = JSONObject()
        members["issuer"] = .string(issuer)
        for (name, path) in endpoints { members[name == "jwks" ? "jwks_uri" : "\(name)_endpoint"] = .string("\(issuer)/\(path)") }
        return .object(members)
    }

    private func tokens() async throws(LoadError) -> LoadResponse {
        let (number, hasIDToken) = state.withLock { state in
            state.count += 1
            return (state.count, state.hasIDToken)
        }
        var members: JSONObject = JSONObject()
        members["access_token"] = .string("access-\(number)")
        members["token_type"] = "Bearer"
        members["expires_in"] = 3600
        members["refresh_token"] = .string("refresh-\(number)")
        members["scope"] = state.withLock(\.scope).map(JSONValue.string)
        if hasIDToken, let token = try? await sign(claims()), let sealed = try? state.withLock(\.seal)?(token) ?? token {
            members["id_token"] = .string(sealed.reveal())
        }
        return response(.object(members))
    }

    private func response(_ json: JSONValue) -> LoadResponse {
        LoadResponse(HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]), body: .bytes(json.serialized()))
    }

    var dependencies: Dependencies { Dependencies(transport: self) { self.time.withLock { $0 } } }

    var authorizations: [String?] { state.withLock(\.authorizations) }
    var userInfoForms: [String] { state.withLock(\.userInfoForms) }

    func session(
        _ store: any CredentialStore = MemoryCredentialStore(), label: String = "default", scope: Scope? = ["openid"],
        profile: ProviderProfile = profile, client: OAuthClient = OAuthClient(id: "client"), grant: AuthorizationGrant? = nil,
        claims: ClaimsRequest = ClaimsRequest(), userCheck: UserCheck? = nil,
        person: @escaping @Sendable (String) async -> ScriptedBrowser.Visit = consenting
    ) -> OAuthSession {
        let browser = ScriptedBrowser { url in
            self.change { $0.nonce = parameter("nonce", of: url) }
            return await person(url)
        }
        var configuration = OAuthSession.Configuration(
            server: profile, client: client, scope: scope, grant: grant ?? .authorizationCode(browser), store: store,
            dependencies: dependencies)
        configuration.prompting = .manual
        configuration.claims = claims
        configuration.userCheck = userCheck
        return OAuthSession(configuration, label: label)
    }
}
