import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import HTTPLoading
import HTTPTypes
import InMemoryLogging
import Logging
import OAuthProtocol
import Synchronization
import Testing
import WebAuthentication

/// Rules about signing in, from the bugs of other libraries; see `docs/checks.md`.
struct SignInTableTests {
    @Test func `OAuthenticator: each sign-in of a session has its own state and verifier`() async throws {
        let verifiers = Mutex<[String]>([])
        let visits = Mutex(0)
        let setting = SessionSetting { url in
            // Every other sign-in is abandoned. Its unused values must not be reused by a later sign-in.
            let number = visits.withLock { visits in
                visits += 1
                return visits
            }
            return number.isMultiple(of: 2) ? .cancelled : await consenting(url)
        }
        setting.server.configure {
            $0.atToken = { request throws(LoadError) in
                let form = try? FormParameters(decoding: String(decoding: request.body.bytes ?? [], as: UTF8.self))
                verifiers.withLock { $0.append(form?["code_verifier"] ?? "") }
                return nil
            }
        }
        let session = setting.session()
        for _ in 0..<8 { try? await session.signIn() }
        let urls = setting.browser.visitedURLs
        #expect(urls.count == 8)
        #expect(Set(urls.map { parameter("state", of: $0) }).count == 8)
        #expect(Set(urls.map { parameter("code_challenge", of: $0) }).count == 8)
        let sent = verifiers.withLock { $0 }
        #expect(sent.count == 4)
        #expect(Set(sent).count == 4)
        let challenges = try sent.map { try CodeVerifier(Secret($0)).challenge }
        #expect(challenges == stride(from: 0, to: 8, by: 2).map { parameter("code_challenge", of: urls[$0]) })
    }

    enum Stage: String, CaseIterable, CustomTestStringConvertible {
        case metadata = "its metadata is unavailable"
        case preparing = "no callback can be received"
        case page = "the user closes the page"
        case callback = "the server returns an error at the page"
        case exchange = "the server rejects the code"
        case storing = "the store is full"

        var testDescription: String { "Auth0: \(rawValue)" }
    }

    @Test(arguments: Stage.allCases)
    func `a failed sign-in blocks neither the next sign-in nor the next request`(stage: Stage) async throws {
        let isBroken = Mutex(true)
        let store = ObservedStore()
        let server = RotatingServer()
        let breaking: @Sendable (Stage) -> Bool = { candidate in candidate == stage && isBroken.withLock { $0 } }
        let person = ScriptedBrowser { url in
            if breaking(.page) { return .cancelled }
            let query = breaking(.callback) ? "error=access_denied" : "code=c0de"
            return .callback("http://127.0.0.1:49152/callback?\(query)&state=\(parameter("state", of: url))")
        }
        server.configure {
            $0.atToken = { _ throws(LoadError) in
                guard breaking(.exchange) else { return nil }
                return LoadResponse(
                    HTTPResponse(status: .badRequest, headerFields: [.contentType: "application/json"]),
                    body: .bytes(Array(#"{"error":"invalid_grant"}"#.utf8)))
            }
        }
        var profile = ProviderProfile.issuer(try Issuer("https://as.example"))
        profile.resourceOrigins = [SessionSetting.origin]
        let session = OAuthSession(
            server: profile, client: OAuthClient(id: "client"),
            browser: UnpreparedBrowser(browser: person) { breaking(.preparing) }, store: store,
            dependencies: Dependencies(transport: PublishingServer(server: server) { breaking(.metadata) }) { start })
        store.isFull = stage == .storing
        for _ in 0..<2 { await #expect(throws: SessionError.self) { try await session.signIn() } }
        await #expect(throws: LoadError.self) { try await session.load(.get("https://api.example/things")) }
        #expect(!session.state.isSigningIn)
        isBroken.withLock { $0 = false }
        store.isFull = false
        #expect(try await session.load(.get("https://api.example/things")).status == .ok)
        try await session.signIn()
        guard case .signedIn = session.state else {
            Issue.record("not signed in: \(session.state)")
            return
        }
    }

    @Test func `Auth0: the log of a whole run contains no code, state, verifier, token, secret, callback or query`() async throws {
        let logs = InMemoryLogHandler()
        var logger = Logger(label: "test") { _ in logs }
        logger.logLevel = .trace
        let bodies = Mutex<[String]>([])
        let setting = SessionSetting()
        setting.server.configure {
            $0.atToken = { request throws(LoadError) in
                bodies.withLock { $0.append(String(decoding: request.body.bytes ?? [], as: UTF8.self)) }
                return nil
            }
        }
        let session = OAuthSession(
            server: SessionSetting.profile, client: OAuthClient(id: "client", secret: Secret("s3cret-canary")), scope: ["read"],
            browser: setting.browser, store: setting.store,
            dependencies: Dependencies(transport: setting.server, logger: logger) { start })
        var errors: [String] = []
        _ = try await session.load(.get("https://api.example/things?q=query-canary"))
        setting.server.endAccessTokens()
        _ = try await session.load(.post("https://api.example/things", body: .bytes(Array("body-canary".utf8))))
        setting.server.configure {
            $0.atToken = { _ throws(LoadError) in
                LoadResponse(
                    HTTPResponse(status: .badRequest, headerFields: [.contentType: "application/json"]),
                    body: .bytes(Array(#"{"error":"invalid_request","refresh_token":"answer-canary"}"#.utf8)))
            }
        }
        do {
            try await session.refresh()
        } catch {
            errors.append("\(error)")
            dump(error, to: &errors[0])
        }
        errors.append("\(await session.signOut())")
        let url = try #require(setting.browser.visitedURLs.first)
        let forms = bodies.withLock { $0 }.compactMap { try? FormParameters(decoding: $0) }
        let verifier = try #require(forms.first?["code_verifier"])
        let secrets = [
            "c0de", parameter("state", of: url), parameter("code_challenge", of: url), verifier, "access-1", "access-2", "refresh-1",
            "refresh-2", "s3cret-canary", "Y2xpZW50OnMzY3JldC1jYW5hcnk=", "query-canary", "body-canary", "answer-canary",
        ]
        let written = logs.entries.map { "\($0.message) \($0.metadata) \($0.error.map { "\($0)" } ?? "")" } + errors
        #expect(logs.entries.count >= 5)
        #expect(errors.count == 2)
        for secret in secrets {
            #expect(secret.count >= 4)
            for line in written { #expect(!line.contains(secret), "\(secret)") }
        }
    }
}

/// A browser whose callback sometimes cannot be received.
private struct UnpreparedBrowser: WebAuthenticator {
    let browser: ScriptedBrowser
    let isBroken: @Sendable () -> Bool

    var capabilities: WebAuthenticationCapabilities { browser.capabilities }

    func prepare(_ callback: CallbackMethod) async throws(WebAuthenticationError) -> any WebAuthenticationAttempt {
        guard !isBroken() else { throw WebAuthenticationError(.cannotShow, "the port is taken") }
        return try await browser.prepare(callback)
    }
}

/// A server that publishes metadata, if it can be reached.
private struct PublishingServer: Transport {
    let server: RotatingServer
    let isBroken: @Sendable () -> Bool

    func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        guard request.head.path?.hasPrefix("/.well-known/") == true else { return try await server.send(request) }
        guard !isBroken() else { throw LoadError(.cannotConnect, for: request) }
        let document: JSONValue = [
            "issuer": "https://as.example", "authorization_endpoint": "https://as.example/authorize",
            "token_endpoint": "https://as.example/token",
        ]
        return LoadResponse(
            HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]), body: .bytes(document.serialized()))
    }
}
