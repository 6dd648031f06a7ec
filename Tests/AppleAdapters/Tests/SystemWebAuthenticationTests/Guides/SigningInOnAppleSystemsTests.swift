import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import AuthenticationServices
import CredentialStorage
import Foundation
import OAuthProtocol
import SwiftUI
import SystemWebAuthenticationOnLinux
import Testing
import WebAuthentication

// snippet: apple-swiftui
struct SignInButton: View {
    @Environment(\.webAuthenticationSession) private var webAuthenticationSession
    let account: Account

    var body: some View {
        Button("Sign in") {
            let browser = SystemWebAuthenticator(webAuthenticationSession, ephemeral: true)
            Task { await account.signIn(in: browser) }
        }
    }
}
// end

/// The account that the code of the guide signs in to.
@MainActor
final class Account {
    private let transport = ScriptedTransport([
        .init(.post("/token"), .json(["access_token": "a", "token_type": "Bearer", "expires_in": 3600]))
    ])
    private let results = AsyncStream<Result<AccessToken, any Error>>.makeStream()

    func signIn(in browser: some WebAuthenticator) async {
        do {
            results.continuation.yield(.success(try await signIn(through: browser)))
        } catch {
            results.continuation.yield(.failure(error))
        }
    }

    /// The token, or the error, of the next sign-in.
    func token() async throws -> AccessToken? {
        for await result in results.stream { return try result.get() }
        return nil
    }

    private func signIn(through browser: some WebAuthenticator) async throws -> AccessToken {
        let (store, dependencies) = (MemoryCredentialStore(), Dependencies(transport: transport))
        let server = ProviderProfile(
            name: "test", displayName: "Test", issuer: "https://as.example",
            endpoints: Endpoints(authorization: "https://as.example/authorize", token: "https://as.example/token"))
        // snippet: apple-session
        let session = OAuthSession(
            server: server,
            client: OAuthClient(id: "notes", redirectURI: .customScheme("com.example.notes")),
            browser: browser, store: store, dependencies: dependencies)
        try await session.signIn()
        // end
        return try await session.accessToken()
    }
}

/// Runs the code of the guide "Signing in on Apple systems" unchanged.
@Suite(.timeLimit(.minutes(3)))
@MainActor
struct SigningInOnAppleSystemsTests {
    private let system = PretendSystem()
    private let account = Account()

    @Test func `a button of SwiftUI signs in`() async throws {
        PretendSystem.$current.withValue(system) {
            EnvironmentValues.$current.withValue(EnvironmentValues(webAuthenticationSession: WebAuthenticationSession(system))) {
                Stage(SignInButton(account: account)).tree.all.first { $0.kind == .button }?.press?()
            }
        }
        try await consent()
    }

    @Test func `a view controller signs in`() async throws {
        let window = AppWindow(.foregroundActive)
        let controller = SignInViewController(of: account, in: window)
        PretendSystem.$current.withValue(system) { controller.signIn() }
        try await consent()
        withExtendedLifetime((controller, window)) {}
    }

    /// Simulates a user who grants the request and is then signed in.
    private func consent() async throws {
        let window = try #require(await system.nextWindow())
        #expect(window.callback == .customScheme("com.example.notes"))
        #expect(window.isEphemeral == true)
        let query = try FormParameters(decoding: window.url.query() ?? "")
        #expect(query["redirect_uri"] == "com.example.notes:/callback")
        let state = try #require(query["state"])
        window.end(URL(string: "com.example.notes:/callback?code=c&state=\(state)"), nil)
        #expect(try await account.token()?.value.reveal() == "a")
    }
}
