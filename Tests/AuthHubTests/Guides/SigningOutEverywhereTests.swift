import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import HTTPTypes
import Logging
import OAuthProtocol
import Testing

@testable import AuthHub

/// Runs the code of the guide "Sign out everywhere" unchanged.
struct SigningOutEverywhereTests {
    private let store = MemoryCredentialStore()
    private let client = OAuthClient(id: "client")
    private let provider = OpenIDProvider.profile
    private let logger = Logger(label: "guide") { _ in SwiftLogNoOpLogHandler() }
    private let screen = Screen()

    @Test func `a sign-out shows the provider's logout page with the ID token as a hint`() async throws {
        let openID = try OpenIDProvider()
        var profile = provider
        profile.endpoints?.endSession = OpenIDProvider.issuer + "/logout"
        let pages = NotedEvents()
        let browser = ScriptedBrowser { url in
            guard !url.contains("/logout?") else {
                pages.add(parameter("id_token_hint", of: url))
                return .callback(parameter("post_logout_redirect_uri", of: url) + "?state=" + parameter("state", of: url))
            }
            openID.change { $0.nonce = parameter("nonce", of: url) }
            return await consenting(url)
        }
        let session = OAuthSession(
            OAuthSession.Configuration(
                server: profile, client: client, scope: ["openid"], grant: .authorizationCode(browser), store: store,
                dependencies: openID.dependencies))
        try await session.signIn()
        let token = try #require(try await store.credential(of: session.account)?.credential.idToken)

        // snippet: logout-at-provider
        let report = await session.signOut(endingServerSession: true)
        if let problem = report.problem {
            screen.show("You are still signed in: \(problem.explanation)")
        } else if case .ended = report.serverSession {
            screen.show("You are signed out, here and at the provider")
        } else {
            screen.show("You are signed out here. Close the browser to sign out at the provider, too.")
        }
        // end
        #expect(screen.texts == ["You are signed out, here and at the provider"])
        #expect(pages.all == [token.reveal()])
        #expect(openID.revoked == ["refresh-1", "access-1"])
    }

    // snippet: logout-routes
    struct LogoutRoutes {
        let receiver: LogoutReceiver
        let logger: Logger

        func respond(to request: HTTPRequest, body: [UInt8]) async -> (head: HTTPResponse, body: String) {
            let outcome: LogoutReceiver.Outcome
            switch request.path?.prefix(while: { $0 != "?" }) {
            case "/logout/back-channel": outcome = await receiver.backChannelLogout(request, body: body)
            case "/logout/front-channel": outcome = await receiver.frontChannelLogout(request)
            default: return (HTTPResponse(status: .notFound), "")
            }
            for account in outcome.signedOut { logger.info("signed out by the provider: \(account.label)") }
            if let problem = outcome.problem { logger.warning("a logout message failed: \(problem.explanation)") }
            return (outcome.response, outcome.body)
        }
    }
    // end

    private func routes(_ dependencies: Dependencies) -> LogoutRoutes {
        // snippet: logout-receiver
        let routes = LogoutRoutes(
            receiver: LogoutReceiver(server: provider, client: client, store: store, dependencies: dependencies),
            logger: logger)
        // end
        return routes
    }

    @Test func `a logout token signs out the user whom it names, once on all machines`() async throws {
        let openID = try OpenIDProvider()
        let session = openID.session(store)
        try await session.signIn()
        let body = Array("logout_token=\(try await openID.sign(openID.logoutClaims()).reveal())".utf8)
        let request = HTTPRequest(
            method: .post, scheme: "https", authority: "client.example", path: "/logout/back-channel",
            headerFields: [.contentType: "application/x-www-form-urlencoded"])
        let (one, other) = (routes(openID.dependencies), routes(openID.dependencies))
        #expect(await one.respond(to: request, body: body).head.status == .ok)
        #expect(try await session.identity == nil)
        try await session.signIn()
        #expect(await other.respond(to: request, body: body).head.status == .badRequest)
        #expect(try await session.identity != nil)
    }

    @Test(arguments: [
        ("/logout/front-channel?iss=https%3A%2F%2Fas.example&sid=session-1", HTTPResponse.Status.ok, true),
        ("/logout/front-channel?sid=session-1", .ok, false), ("/other", .notFound, false),
    ])
    func `the routes sign out the session that the browser names`(
        path: String, status: HTTPResponse.Status, isSignedOut: Bool
    ) async throws {
        let openID = try OpenIDProvider()
        let session = openID.session(store)
        try await session.signIn()
        let request = HTTPRequest(method: .get, scheme: "https", authority: "client.example", path: path)
        #expect(await routes(openID.dependencies).respond(to: request, body: []).head.status == status)
        #expect(try await (session.identity == nil) == isSignedOut)
    }
}
