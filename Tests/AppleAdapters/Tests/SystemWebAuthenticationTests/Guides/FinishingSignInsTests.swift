import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import Foundation
import OAuthProtocol
import SwiftUI
import Testing

/// The way the system delivers a callback to an app.
enum CallbackWay: CaseIterable, Sendable {
    case start, scheme, link
}

// snippet: apple-finish
extension OAuthSession {
    /// Finishes the sign-in that waits for one of these callbacks. Other callbacks have no effect.
    func finishSignIns(with callbacks: [URL]) {
        for callback in callbacks { Task { try? await finishSignIn(with: callback) } }
    }
}
// end

// snippet: apple-finish-swiftui
struct NotesView: View {
    let session: OAuthSession

    var body: some View {
        Text("Notes").onOpenURL { session.finishSignIns(with: [$0]) }
    }
}
// end

/// A sign-in whose page is shown by another process, and the session that receives its callback.
@MainActor
private final class InterruptedSignIn {
    let session: OAuthSession
    let callback: URL
    private let page: Task<Void, any Error>

    init() async throws {
        let store = MemoryCredentialStore()
        let transport = ScriptedTransport([
            .init(.post("/token"), .json(["access_token": "a", "token_type": "Bearer", "expires_in": 3600]))
        ])
        let server = ProviderProfile(
            name: "test", displayName: "Test", issuer: "https://as.example",
            endpoints: Endpoints(authorization: "https://as.example/authorize", token: "https://as.example/token"))
        func session(_ visit: @escaping @Sendable (String) async -> ScriptedBrowser.Visit) -> OAuthSession {
            var configuration = OAuthSession.Configuration(
                server: server, client: OAuthClient(id: "notes", redirectURI: .customScheme("com.example.notes")),
                grant: .authorizationCode(ScriptedBrowser(redirectURI: "com.example.notes:/callback", visit: visit)), store: store,
                dependencies: Dependencies(transport: transport))
            configuration.prompting = .manual
            return OAuthSession(configuration)
        }
        let (pages, shown) = AsyncStream<String>.makeStream()
        let other = session { url in
            shown.yield(url)
            for await _ in AsyncStream<Void>.makeStream().stream {}
            return .cancelled
        }
        page = Task { try await other.signIn() }
        var url = ""
        for await page in pages {
            url = page
            break
        }
        let state = try #require(try FormParameters(decoding: url.split(separator: "?", maxSplits: 1).last ?? "")["state"])
        callback = try #require(URL(string: "com.example.notes:/callback?code=c&state=\(state)"))
        self.session = session { _ in .cancelled }
    }

    func untilSignedIn() async {
        for await state in session.states {
            if case .signedIn = state { break }
        }
        page.cancel()
    }
}

/// The code of the guide "Signing in on Apple systems" for callbacks that arrive at the app.
@Suite(.timeLimit(.minutes(3)))
@MainActor
struct FinishingSignInsTests {
    @Test(arguments: CallbackWay.allCases)
    func `a scene delegate finishes a sign-in`(way: CallbackWay) async throws {
        let signIn = try await InterruptedSignIn()
        let delegate = SceneDelegate()
        delegate.session = signIn.session
        delegate.receive(signIn.callback, way)
        await signIn.untilSignedIn()
    }

    @Test(arguments: [CallbackWay.scheme, .link])
    func `an app delegate finishes a sign-in`(way: CallbackWay) async throws {
        let signIn = try await InterruptedSignIn()
        let delegate = AppDelegate()
        delegate.session = signIn.session
        delegate.receive(signIn.callback, way)
        await signIn.untilSignedIn()
    }

    @Test func `a view finishes a sign-in`() async throws {
        let signIn = try await InterruptedSignIn()
        let open = try #require(Stage(NotesView(session: signIn.session)).tree.all.compactMap(\.open).first)
        open(signIn.callback)
        await signIn.untilSignedIn()
    }
}
