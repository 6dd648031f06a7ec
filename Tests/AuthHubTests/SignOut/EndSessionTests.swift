import AsyncHTTPClientTransport
import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import HeadlessBrowsing
import CredentialStorage
import DevelopmentServer
import HTTPLoading
import OAuthProtocol
import Testing
import WebAuthentication

struct EndSessionTests {
    private static let profile: ProviderProfile = {
        var profile = SessionSetting.profile
        profile.endpoints?.endSession = "https://as.example/logout"
        return profile
    }()

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var isOffered = true
        let visit: @Sendable (String) async -> ScriptedBrowser.Visit
        let expected: String
    }

    @Test(arguments: [
        Row(testDescription: "the browser returns", visit: returning, expected: "ended"),
        Row(testDescription: "the server has no sign-out page", isOffered: false, visit: returning, expected: "notOffered"),
        Row(testDescription: "the user closes the page", visit: { _ in .cancelled }, expected: "cancelled"),
        Row(
            testDescription: "no browser is available", visit: { _ in .failure(WebAuthenticationError(.cannotShow)) },
            expected: "failed: cannot_sign_in_here"),
        Row(
            testDescription: "a different state",
            visit: { url in .callback(parameter("post_logout_redirect_uri", of: url) + "?state=other") },
            expected: "failed: security_check_failed"),
        Row(
            testDescription: "the server returns an error",
            visit: { url in
                .callback(parameter("post_logout_redirect_uri", of: url) + "?error=invalid_request&state=" + parameter("state", of: url))
            },
            expected: "failed: server_rejected"),
    ])
    func `reports the outcome of the server's page, and signs out in any case`(row: Row) async throws {
        let events = NotedEvents()
        let profile = row.isOffered ? Self.profile : SessionSetting.profile
        let setting = try await ObservedSetting(
            person: { url in
                guard url.contains("/logout?") else { return await consenting(url) }
                events.add("shown")
                return await row.visit(url)
            }, profile: profile
        ).signedIn()
        let report = await setting.session.signOut(endingServerSession: true)
        #expect(report.isSignedOut)
        #expect(report.serverSession.words == row.expected)
        #expect(setting.server.revoked == ["refresh-1", "access-1"])
        #expect(setting.session.state == .signedOut)
        #expect(events.all == (row.isOffered ? ["shown"] : []))
    }

    @Test func `shows the page only if requested, after the tokens are deleted and revoked`() async throws {
        let shown = NotedEvents()
        let gate = Gate()
        let setting = ObservedSetting(
            person: { url in
                guard url.contains("/logout?") else { return await consenting(url) }
                shown.add("shown")
                await gate.pass()
                return await returning(url)
            }, profile: Self.profile)
        try await setting.session.signIn()
        guard case .notAsked = await setting.session.signOut().serverSession else {
            Issue.record("a page was shown")
            return
        }
        #expect(shown.all.isEmpty)
        try await setting.session.signIn()
        let signOut = Task { await setting.session.signOut(endingServerSession: true) }
        await gate.untilReached()
        #expect(try await setting.store.accounts().isEmpty)
        #expect(setting.server.revoked == ["refresh-1", "access-1", "refresh-2", "access-2"])
        #expect(setting.session.state == .signingOut)
        gate.open()
        #expect(await signOut.value.serverSession.words == "ended")
    }

    @Test func `a cancelled caller closes the page, and is signed out`() async throws {
        let gate = Gate()
        let setting = ObservedSetting(
            person: { url in
                guard url.contains("/logout?") else { return await consenting(url) }
                await withTaskCancellationHandler {
                    await gate.pass()
                } onCancel: {
                    gate.open()
                }
                return await returning(url)
            }, profile: Self.profile)
        try await setting.session.signIn()
        let signOut = Task { await setting.session.signOut(endingServerSession: true) }
        await gate.untilReached()
        signOut.cancel()
        let report = await signOut.value
        #expect(report.isSignedOut)
        #expect(report.serverSession.words == "cancelled")
        #expect(setting.session.state == .signedOut)
    }

    @Test func `a cancelled caller leaves the page open for other callers`() async throws {
        let gate = Gate()
        let setting = ObservedSetting(
            person: { url in
                guard url.contains("/logout?") else { return await consenting(url) }
                await gate.pass()
                return await returning(url)
            }, profile: Self.profile)
        try await setting.session.signIn()
        let first = Task { await setting.session.signOut(endingServerSession: true) }
        await gate.untilReached()
        let second = startedTask {
            #expect(await setting.session.signOut(endingServerSession: true).serverSession.words == "ended")
            return 0
        }
        for _ in 0..<1000 { await Task.yield() }
        first.cancel()
        for _ in 0..<1000 { await Task.yield() }
        gate.open()
        _ = try await second.value
    }

    @Test func `the server asks for the password again after the session ends, and does not otherwise`() async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { server in
            let filling = FormFilling(user: "octocat", password: Secret("octocat-password"))
            let browser = BrowserAuthenticator(
                opener: HeadlessBrowser(filling: filling, transport: NetworkTransport.shared, keepsCookies: true))
            let session = OAuthSession(
                server: .issuer(try Issuer(server.issuer, transport: .insecureHTTPOnLoopbackForDevelopment)),
                client: OAuthClient(id: "native-app"), scope: ["openid"], browser: browser, store: MemoryCredentialStore(),
                dependencies: .network)
            try await session.signIn()
            #expect(server.log.requests(path: "/session") == 1)
            await session.signOut()
            try await session.signIn()
            #expect(server.log.requests(path: "/session") == 1, "the browser is still signed in at the server")
            let report = await session.signOut(endingServerSession: true)
            #expect(report.serverSession.words == "ended")
            #expect(server.log.requests(path: "/logout/confirm") == 0, "the ID token shows whom to sign out, so the server does not ask")
            try await session.signIn()
            #expect(server.log.requests(path: "/session") == 2)
        }
    }
}

@Sendable private func returning(_ url: String) async -> ScriptedBrowser.Visit {
    .callback(parameter("post_logout_redirect_uri", of: url) + "?state=" + parameter("state", of: url))
}

extension SignOutReport.ServerSession {
    fileprivate var words: String {
        switch self {
        case .notAsked: "notAsked"
        case .notOffered: "notOffered"
        case .ended: "ended"
        case .cancelled: "cancelled"
        case .failed(let error): "failed: \(error.code)"
        }
    }
}
