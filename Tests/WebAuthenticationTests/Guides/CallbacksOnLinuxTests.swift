import AuthHubPrimitives
import Synchronization
import Testing

@testable import WebAuthentication

/// Runs the code of the guide "Callbacks on Linux" with a script that simulates Chromium.
struct CallbacksOnLinuxTests {
    final class Screen: Sendable {
        let texts = Mutex<[String]>([])

        func show(_ text: String) {
            texts.withLock { $0.append(text) }
        }
    }

    private let screen = Screen()

    @Test func `the browser is chosen by what is wanted, and the reason can be shown`() throws {
        guard case .installed = BrowserFacts.here.chromium, BrowserFacts.here.missingScreen == nil else {
            // Without a browser or a display, the choice fails with an error that says so.
            let requirements = BrowserRequirements(callback: .customScheme, ephemeral: true)
            let error = #expect(throws: WebAuthenticationError.self) { _ = try BrowserChoice(for: requirements, given: .here) }
            #expect(error?.explanation?.isEmpty == false)
            return
        }
        // snippet: callback-choice
        let callback = CallbackMethod.customScheme("com.example.app")
        let requirements = BrowserRequirements(callback: callback.kind, ephemeral: true)
        let choice = try BrowserChoice(for: requirements, given: .here(for: callback))
        screen.show(choice.reason)
        let browser = BrowserAuthenticator(opener: choice.opener)
        // end
        #expect(browser.capabilities.isEphemeral)
        #expect(screen.texts.withLock { $0.count } == 1)
    }

    @Test func `an authenticator works alone`() async throws {
        let desktop = try CallbackMailboxTests.Desktop()
        let browser = desktop.browser()
        let callback = CallbackMethod.customScheme("com.example.app")
        let state = "s"
        func page(returningTo redirectURI: String) -> String { "https://as.example/?redirect_uri=\(redirectURI)" }
        async let outcome = desktop.delivered("com.example.app:/callback?code=c&state=s")
        // snippet: callback-alone
        let received = try await browser.authenticate(receiving: callback) { redirectURI in
            WebAuthenticationRequest(url: page(returningTo: redirectURI)) { $0.url.reveal().hasSuffix("state=\(state)") }
        }
        await received.conclude(.signedIn)
        // end
        #expect(try await outcome == .concluded(.signedIn))
    }

    @Test func `a handler is registered, and hands over what it is started with`() async throws {
        let folder = try ScriptFolder()
        let program = try folder.add("program", "exit 0")
        try withEnvironment(folder) { environment in
            let registered = try CustomSchemeHandler(scheme: "com.example.app", environment: environment)
            try registered.register(command: [program, "--callback"], name: "Example")
            #expect(try registered.status() == .registered(command: [program, "--callback"]))
        }
        let address = "com.example.unknown:/callback?state=s"
        // snippet: callback-deliver
        switch try await CallbackDelivery().deliver(Secret(address)) {
        case .concluded(.signedIn): screen.show("Signed in. You can go back to the program.")
        case .concluded(.signedOut): screen.show("Signed out.")
        case .concluded(.failed(let reason)): screen.show("Not signed in: \(reason)")
        case .undecided: screen.show("The program shows whether it worked.")
        case .nobodyWaits: screen.show("This sign-in has ended.")
        }
        // end
        #expect(screen.texts.withLock { $0 } == ["This sign-in has ended."])
    }

    /// Compiled but never called, because it would register a handler for the user who runs the tests.
    private func register(_ program: String) throws {
        // snippet: callback-register
        let handler = try CustomSchemeHandler(scheme: "com.example.app")
        try handler.register(command: [program, "--callback"], name: "Example")
        // end
    }

    private func withEnvironment(_ folder: ScriptFolder, _ body: ([String: String]) throws -> Void) throws {
        try body(["HOME": folder.path, "PATH": "/nowhere"])
    }
}
