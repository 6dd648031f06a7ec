import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Synchronization
import Testing

@testable import AuthHub

/// RFC 9700 §4.4: an issuer whose metadata names another server's endpoints until the user has signed in there, and its own endpoints
/// after that.
struct ChangedMetadataTests {
    /// A malicious issuer and an honest server. The honest server sends no `iss`.
    private final class Servers: Transport {
        private let state = Mutex((changed: Set<String>(), asked: [(host: String, authorization: String?, path: String)]()))

        func change(_ endpoints: String...) { state.withLock { $0.changed.formUnion(endpoints) } }

        /// The paths, other than its metadata, that were requested from the malicious issuer.
        var taken: [String] {
            state.withLock { $0.asked.filter { $0.host == "evil.example" && !$0.path.hasPrefix("/.well-known/") }.map(\.path) }
        }

        var tokensTaken: [String] { state.withLock { $0.asked.filter { $0.host == "evil.example" }.compactMap(\.authorization) } }

        func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
            let (host, path) = (request.head.authority ?? "", request.head.path ?? "")
            let changed = state.withLock { state in
                state.asked.append((host, request.head.headerFields[.authorization], path))
                return state.changed
            }
            return try await RoutedTransport([(.any, Self.answer(path, changed: changed))]).send(request)
        }

        private static func answer(_ path: String, changed: Set<String>) -> ScriptedAnswer {
            func endpoint(_ name: String) -> JSONValue { .string("https://\(changed.contains(name) ? "evil" : "honest").example/\(name)") }
            switch path {
            case "/.well-known/oauth-authorization-server":
                return .json(
                    [
                        "issuer": "https://evil.example", "authorization_endpoint": endpoint("authorize"),
                        "token_endpoint": endpoint("token"),
                        "userinfo_endpoint": endpoint("userinfo"), "revocation_endpoint": endpoint("revoke"),
                        "introspection_endpoint": endpoint("introspect"), "code_challenge_methods_supported": ["S256"],
                    ])
            case "/token":
                return .json(["access_token": "canary", "refresh_token": "canary-refresh", "token_type": "Bearer", "expires_in": 3600])
            case "/introspect": return .json(["active": true])
            default: return .json(["sub": "somebody"])
            }
        }
    }

    private struct Setting {
        let servers = Servers()
        let store = MemoryCredentialStore()
        let profile: ProviderProfile

        init() throws { profile = ProviderProfile.issuer(try Issuer("https://evil.example")) }

        /// A session of a process that has not read the metadata yet.
        func session(tokenOrigins: Set<Origin> = []) -> OAuthSession {
            var configuration = OAuthSession.Configuration(
                server: profile, client: OAuthClient(id: "client"), grant: .authorizationCode(ScriptedBrowser(visit: consenting)),
                store: store, dependencies: dependencies)
            configuration.tokenOrigins = tokenOrigins
            configuration.prompting = .manual
            return OAuthSession(configuration)
        }

        var dependencies: Dependencies { Dependencies(transport: servers) { start } }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let changed: [String]
    }

    private static let rows = [
        Row(testDescription: "DD28 the token endpoint", changed: ["token"]),
        Row(testDescription: "DD28 the revocation endpoint", changed: ["revoke"]),
        Row(testDescription: "DD28 the UserInfo endpoint", changed: ["userinfo"]),
        Row(testDescription: "DD28 the introspection endpoint", changed: ["introspect"]),
        Row(testDescription: "DD28 all endpoints", changed: ["authorize", "token", "userinfo", "revoke", "introspect"]),
    ]

    @Test(arguments: rows)
    func `DD28: never sends a token of another server to an endpoint that metadata names later`(row: Row) async throws {
        let setting = try Setting()
        try await setting.session().signIn()
        for name in row.changed { setting.servers.change(name) }
        let session = setting.session()
        try await session.restore()

        func isRejected(_ name: String, _ work: () async throws(SessionError) -> Void) async {
            do throws(SessionError) {
                try await work()
                #expect(!row.changed.contains(name))
            } catch {
                #expect(row.changed.contains(name) && error.code == .securityCheckFailed, "\(error)")
            }
        }
        await isRejected("token") { () throws(SessionError) in try await session.refresh() }
        await isRejected("introspect") { () throws(SessionError) in
            _ = try await OAuthAccounts(store: setting.store).introspect(
                of: setting.profile, client: OAuthClient(id: "client"), dependencies: setting.dependencies)
        }
        let endpoint = try #require(try await session.provider(needing: [.userInfo]).accountEndpoint)
        // An error, or a request without the token: all that matters is that the issuer did not get the token.
        _ = try? await session.load(.get(endpoint))
        let report = await session.signOut()
        #expect(report.isSignedOut)
        switch report.revocation {
        case .failed(let error): #expect(row.changed.contains("revoke") && error.code == .securityCheckFailed)
        case .done: #expect(!row.changed.contains("revoke"))
        default: Issue.record("the revocation was \(report.revocation)")
        }
        #expect(setting.servers.taken.allSatisfy { $0 == "/userinfo" } && setting.servers.tokensTaken.isEmpty)
    }

    @Test func `DD28: never sends a client's own token to an endpoint of another server`() async throws {
        let setting = try Setting()
        setting.servers.change("introspect", "userinfo", "revoke")
        let client = OAuthClient(id: "client", secret: Secret("client-secret"))
        let session = OAuthSession(
            OAuthSession.Configuration(
                server: setting.profile, client: client, grant: .clientCredentials, store: setting.store, dependencies: setting.dependencies
            ))
        try await session.signIn()
        let failure = await #expect(throws: SessionError.self) {
            _ = try await OAuthAccounts(store: setting.store).introspect(
                of: setting.profile, client: client, dependencies: setting.dependencies)
        }
        #expect(failure?.code == .securityCheckFailed)
        _ = try? await session.load(.get("https://evil.example/userinfo"))
        _ = await session.signOut()
        #expect(setting.servers.taken.allSatisfy { $0 == "/userinfo" } && setting.servers.tokensTaken.isEmpty)
    }

    @Test func `sends the token to an origin that the program named itself`() async throws {
        let setting = try Setting()
        try await setting.session().signIn()
        setting.servers.change("userinfo")
        let named = Origin(scheme: "https", host: "evil.example", port: 443)
        let answer = try await setting.session(tokenOrigins: [named]).load(.get("https://evil.example/api"))
        #expect(answer.status == .ok && setting.servers.tokensTaken == ["Bearer canary"])
    }

    @Test func `DD28: the stored tokens include the origins that may receive them`() throws {
        let setting = try Setting()
        #expect(setting.profile.endpoints == nil)
        let text = #"{"format":1,"access_token":"a","token_type":"Bearer","issued_at":0,"scope":"","sole_origin":"#
        let credential = try Credential(record: Secret(Array((text + #""https://honest.example"}"#).utf8)))
        #expect(credential.soleOrigin?.host == "honest.example")
        #expect(try Credential(record: credential.record).soleOrigin == credential.soleOrigin)
        for damaged in [#""nowhere"}"#, "1}", "null}"] {
            let failure = #expect(throws: SessionError.self) { try Credential(record: Secret(Array((text + damaged).utf8))) }
            #expect(failure?.code == .storeFailed)
        }
    }
}
