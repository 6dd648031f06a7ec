import AsyncHTTPClientTransport
import AuthHub
import AuthHubPrimitives
import HeadlessBrowsing
import CredentialStorage
import DevelopmentServer
import OAuthProtocol
import Synchronization
import Testing

/// Runs the code of the guide "Signing in on devices without a browser" unchanged.
struct SigningInWithoutABrowserTests {
    private let store = MemoryCredentialStore()
    private let screen = Screen()

    @Test func `a person signs a device in with a browser elsewhere`() async throws {
        var persona = Persona.openID
        persona.device?.interval = .milliseconds(50)
        try await withDevelopmentServer(.init(persona: persona)) { server in
            let session = try session(at: server)
            let hasEnded = Mutex(false)
            let signingIn = Task {
                defer { hasEnded.withLock { $0 = true } }
                try await session.signIn()
            }
            while screen.texts.count < 2, !hasEnded.withLock({ $0 }) { await Task.yield() }
            // If there is no code, the sign-in has failed, and its error is thrown below.
            if screen.texts.count > 1 { try await enter(screen.texts[1], at: screen.texts[0]) }
            try await signingIn.value
            #expect(session.state != .signedOut)
            #expect(screen.texts.last == "")
        }
    }

    @Test func `a person who does not want to any more ends it`() async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { server in
            let session = try session(at: server)
            // snippet: device-cancel
            let signingIn = Task { try await session.signIn() }
            await screen.untilCancelled()
            signingIn.cancel()
            // end
            let failure = await #expect(throws: SessionError.self) { try await signingIn.value }
            #expect(failure?.code == .cancelledByProgram)
        }
    }

    private func session(at server: DevelopmentAuthorizationServer) throws -> OAuthSession {
        let issuer = try Issuer(server.issuer, transport: .insecureHTTPOnLoopbackForDevelopment)
        let screen = screen
        // snippet: device-session
        var configuration = OAuthSession.Configuration(
            server: .issuer(issuer),
            client: OAuthClient(id: "native-app"),
            scope: ["openid", "offline_access"],
            grant: .deviceCode { code in
                screen.show(code.verificationURI.text)
                screen.show(code.userCode)
                if let link = code.openableURI { screen.showQRCode(of: link.text) }
            } dismiss: { _ in
                screen.clear()
            },
            store: store,
            dependencies: .network)
        configuration.signInTimeout = .seconds(1800)
        let session = OAuthSession(configuration)
        // end
        return session
    }

    private func enter(_ code: String, at address: String) async throws {
        // snippet: device-person
        let person = FormFilling(user: "octocat", password: Secret("octocat-password"))
        let telephone = HeadlessBrowser(filling: person, transport: NetworkTransport.shared)
        try await telephone.enter(code, at: address)
        // end
    }
}

extension Screen {
    fileprivate func showQRCode(of address: String) { show(address) }

    fileprivate func clear() { show("") }

    fileprivate func untilCancelled() async {
        while texts.isEmpty { await Task.yield() }
    }
}
