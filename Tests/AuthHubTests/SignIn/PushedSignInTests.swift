import AsyncHTTPClientTransport
import AuthHub
import AuthHubPrimitives
import HeadlessBrowsing
import CredentialStorage
import DevelopmentServer
import HTTPTypes
import OAuthProtocol
import Platform
import Synchronization
import Testing
import WebAuthentication

/// Sign-ins that push their authorization request to the server first.
struct PushedSignInTests {
    /// The time of the server's and the sessions' wall clocks, which stand still: otherwise, codes and pushed requests could expire if the
    /// machine is busy.
    private let instant = Date()

    private func configuration(_ persona: Persona = .openID) -> DevelopmentServerConfiguration {
        DevelopmentServerConfiguration(persona: persona, now: { [instant] in instant })
    }

    private func session(
        at server: DevelopmentAuthorizationServer, policy: PushedAuthorizationPolicy = .neverUnlessRequired,
        onShow: @escaping @Sendable (String) -> Void = { _ in }, now: (@Sendable () -> Date)? = nil
    ) throws -> OAuthSession {
        let issuer = try Issuer(server.issuer, transport: .insecureHTTPOnLoopbackForDevelopment)
        var profile = ProviderProfile.issuer(issuer)
        profile.pushedAuthorization = policy
        let opener = HeadlessBrowser(
            filling: FormFilling(user: "octocat", password: Secret("octocat-password")), transport: NetworkTransport.shared)
        var dependencies = Dependencies(transport: NetworkTransport.shared) { [instant] in instant }
        if let now { dependencies.now = now }
        return OAuthSession(
            server: profile, client: OAuthClient(id: "native-app"), scope: ["openid", "user"],
            browser: BrowserAuthenticator(opener: opener, onShow: onShow), store: MemoryCredentialStore(), dependencies: dependencies)
    }

    private static let demanding = {
        var persona = Persona.openID
        persona.messages.requiresPushedRequests = true
        return persona
    }()

    @Test func `PA06: the URL of the sign-in page contains only the client and the request URI`() async throws {
        try await withDevelopmentServer(configuration()) { server in
            let shown = Mutex<[String]>([])
            let session = try self.session(at: server, policy: .whenSupported) { url in shown.withLock { $0.append(url) } }
            try await session.signIn()
            let names = try shown.withLock(\.self).map { url in
                try FormParameters(decoding: url.split(separator: "?").last ?? "").parameters.map(\.name)
            }
            #expect(names == [["client_id", "request_uri"]])
            #expect(server.log.requests(path: "/par") == 1)
            #expect(try await session.load(.get("\(server.issuer)/user")).status == .ok)
        }
    }

    @Test func `PA05: pushes the request again if the request URI expires before it is used`() async throws {
        try await withDevelopmentServer(configuration()) { server in
            // The machine sleeps between the first push and the use of its request URI.
            let now = { @Sendable [instant] () -> Date in
                instant.addingTimeInterval(server.log.requests(path: "/par") == 0 ? 0 : 100)
            }
            let session = try self.session(at: server, policy: .always, now: now)
            try await session.signIn()
            #expect(server.log.requests(path: "/par") == 2)
        }
    }

    @Test func `PA08: pushes requests to a server that demands it, whatever the policy`() async throws {
        try await withDevelopmentServer(configuration(Self.demanding)) { server in
            try await self.session(at: server, policy: .neverUnlessRequired).signIn()
            #expect(server.log.requests(path: "/par") == 1)
        }
    }

    @Test func `PA09: each sign-in pushes its own request`() async throws {
        try await withDevelopmentServer(configuration(Self.demanding)) { server in
            let session = try self.session(at: server)
            try await session.signIn()
            try await session.signIn()
            #expect(server.log.requests(path: "/par") == 2)
        }
    }

    @Test func `does not push requests to a server that does not demand them`() async throws {
        try await withDevelopmentServer(configuration()) { server in
            try await self.session(at: server).signIn()
            #expect(server.log.requests(path: "/par") == 0)
        }
    }
}
