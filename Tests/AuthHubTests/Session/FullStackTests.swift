import AsyncHTTPClientTransport
import AuthHub
import AuthHubPrimitives
import HeadlessBrowsing
import CredentialStorage
import DevelopmentServer
import GitHubAPI
import HTTPLoading
import HTTPTypes
import InMemoryLogging
import Logging
import OAuthProtocol
import Platform
import Testing
import WebAuthentication

/// The network, the listener, the file store and the server are real; only the user is simulated.
struct FullStackTests {
    @Test func `signs in, sends requests, refreshes and signs out at a server with GitHub's quirks`() async throws {
        try await withDevelopmentServer(.init(persona: .gitHub)) { server in
            try await withTemporaryFolder { folder in
                let logs = InMemoryLogHandler()
                let session = Self.session(at: server, folder: folder, logger: Logger(label: "test") { _ in logs })
                let gitHub = GitHub(session: session, api: server.issuer)
                #expect(try await gitHub.user().login == "octocat")
                #expect(try await gitHub.repositories().repositories.count == 57)

                server.faults.expireAllAccessTokens()
                let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<20 { group.addTask { try await session.load(.get("\(server.issuer)/user")).status.code } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(statuses == Array(repeating: 200, count: 20))
                #expect(server.log.refreshes == 1)

                let next = Self.session(at: server, folder: folder, prompting: .manual)
                let token = try await next.accessToken()
                let report = await next.signOut()
                #expect(report.isSignedOut)
                #expect(server.log.revocations == 1)
                #expect(try await EncryptedFileStore(folder: folder, key: KeyFile(path: folder + ".key")).accounts().isEmpty)
                let printed = logs.entries.map { "\($0)" }.joined()
                #expect(!printed.isEmpty)
                #expect(!printed.contains(token.value.reveal()))
            }
        }
    }

    @Test func `finds an OpenID provider by its issuer only`() async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { server in
            let issuer = try Issuer(server.issuer, transport: .insecureHTTPOnLoopbackForDevelopment)
            let session = OAuthSession(
                server: .issuer(issuer), client: OAuthClient(id: server.clients[0].id), scope: ["openid", "profile"],
                browser: Self.person, store: MemoryCredentialStore(), dependencies: .network)
            try await session.signIn()
            let userInfo = try #require(try await session.provider().accountEndpoint)
            let response = try await session.load(.get(userInfo))
            #expect(response.status == .ok)
            try await session.refresh()
            #expect(server.log.refreshes == 1)
            #expect(await session.signOut().isSignedOut)
            #expect(server.log.revocations > 0)
        }
    }

    @Test func `reports a user who denies access with its own error, and stores nothing`() async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { server in
            let issuer = try Issuer(server.issuer, transport: .insecureHTTPOnLoopbackForDevelopment)
            let store = MemoryCredentialStore()
            let session = OAuthSession(
                server: .issuer(issuer), client: OAuthClient(id: server.clients[0].id), scope: ["openid"],
                browser: Self.person(refuses: true), store: store, dependencies: .network)
            let failure = await #expect(throws: SessionError.self) { try await session.signIn() }
            #expect(failure?.code == .denied)
            #expect(try await store.accounts().isEmpty)
        }
    }

    private static let person = person(refuses: false)

    private static func person(refuses: Bool) -> BrowserAuthenticator {
        let filling = FormFilling(user: "octocat", password: Secret("octocat-password"), refuses: refuses)
        return BrowserAuthenticator(opener: HeadlessBrowser(filling: filling, transport: NetworkTransport.shared))
    }

    private static func session(
        at server: DevelopmentAuthorizationServer, folder: String, prompting: SignInPrompting = .onDemand, logger: Logger? = nil
    ) -> OAuthSession {
        var dependencies = Dependencies.network
        dependencies.logger = logger
        var configuration = OAuthSession.Configuration(
            server: .gitHubApp(web: server.issuer, api: server.issuer, transport: .insecureHTTPOnLoopbackForDevelopment),
            client: OAuthClient(id: server.clients[0].id, secret: server.clients[0].secret), grant: .authorizationCode(person),
            store: EncryptedFileStore(folder: folder, key: KeyFile(path: folder + ".key")), dependencies: dependencies)
        configuration.prompting = prompting
        return OAuthSession(configuration)
    }

    private func withTemporaryFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "authhub-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder.path + "/credentials")
    }
}
