import AsyncHTTPClientTransport
import AuthHub
import AuthHubPrimitives
import HeadlessBrowsing
import CredentialStorage
import DevelopmentServer
import HTTPTypes
import OAuthProtocol
import Synchronization
import Testing
import WebAuthentication

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Sign-ins whose request goes over the back channel first.
struct PushedSignInTests {
    private static func session(
        at server: DevelopmentAuthorizationServer, policy: PushedAuthorizationPolicy = .neverUnlessRequired,
        dependencies: Dependencies = .network, onShow: @escaping @Sendable (String) -> Void = { _ in }
    ) throws -> OAuthSession {
        let issuer = try Issuer(server.issuer, transport: .insecureHTTPOnLoopbackForDevelopment)
        var profile = ProviderProfile.issuer(issuer)
        profile.pushedAuthorization = policy
        let opener = HeadlessBrowser(
            filling: FormFilling(user: "octocat", password: Secret("octocat-password")), transport: NetworkTransport.shared)
        return OAuthSession(
            server: profile, client: OAuthClient(id: "native-app"), scope: ["openid", "user"],
            browser: BrowserAuthenticator(opener: opener, onShow: onShow), store: MemoryCredentialStore(), dependencies: dependencies)
    }

    private static let demanding = {
        var persona = DevelopmentAuthorizationServer.Persona.openID
        persona.messages.requiresPushedRequests = true
        return persona
    }()

    @Test func `PA06: the page's address says nothing of the request but the client and the reference`() async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { server in
            let shown = Mutex<[String]>([])
            let session = try Self.session(at: server, policy: .whenSupported) { url in shown.withLock { $0.append(url) } }
            try await session.signIn()
            let names = try shown.withLock(\.self).map { url in
                try FormParameters(decoding: url.split(separator: "?").last ?? "").parameters.map(\.name)
            }
            #expect(names == [["client_id", "request_uri"]])
            #expect(server.log.requests(path: "/par") == 1)
            #expect(try await session.load(.get("\(server.issuer)/user")).status == .ok)
        }
    }

    @Test func `PA05: a reference that ends before it is used is asked for again`() async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { server in
            // Between the first push and its use, the machine sleeps.
            let now = { @Sendable () -> Date in
                Date(timeIntervalSince1970: 1_800_000_000 + (server.log.requests(path: "/par") == 0 ? 0 : 100))
            }
            let session = try Self.session(
                at: server, policy: .always, dependencies: Dependencies(transport: NetworkTransport.shared, now: now))
            try await session.signIn()
            #expect(server.log.requests(path: "/par") == 2)
        }
    }

    @Test func `PA08: a server that demands pushed requests gets them, whatever the policy`() async throws {
        try await withDevelopmentServer(.init(persona: Self.demanding)) { server in
            try await Self.session(at: server, policy: .neverUnlessRequired).signIn()
            #expect(server.log.requests(path: "/par") == 1)
        }
    }

    @Test func `PA09: each sign-in pushes a request of its own`() async throws {
        try await withDevelopmentServer(.init(persona: Self.demanding)) { server in
            let session = try Self.session(at: server)
            try await session.signIn()
            try await session.signIn()
            #expect(server.log.requests(path: "/par") == 2)
        }
    }

    @Test func `a server that does not demand them gets none`() async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { server in
            try await Self.session(at: server).signIn()
            #expect(server.log.requests(path: "/par") == 0)
        }
    }
}
