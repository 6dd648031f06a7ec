import AuthHubPrimitives
import AuthHubTesting
import Synchronization
import WebAuthentication

/// The actions of the user on a page; by default, octocat consents.
final class PersonAtBrowser: Sendable {
    enum Deed: Sendable {
        case consents(String)
        case refuses
        case closes
        /// The user consents when the gate is opened.
        case waits(Door)
        case fails(WebAuthenticationError)
    }

    private let deed: Shared
    let browser: ScriptedBrowser

    init() {
        let deed = Shared()
        self.deed = deed
        browser = ScriptedBrowser { url in await Self.visit(url, deed.value) }
    }

    /// Sets the actions of the user from now on.
    func now(_ deed: Deed) { self.deed.value = deed }

    private static func visit(_ url: String, _ deed: Deed) async -> ScriptedBrowser.Visit {
        let query = url.split(separator: "?", maxSplits: 1).last ?? ""
        let parameters = (try? FormParameters(decoding: query)) ?? [:]
        let callback = "http://127.0.0.1:49152/callback?state=\(parameters["state"] ?? "")"
        switch deed {
        case .consents(let login): return .callback("\(callback)&code=\(login)")
        case .refuses: return .callback("\(callback)&error=access_denied&error_description=no")
        case .closes: return .cancelled
        case .waits(let door):
            await door.pass()
            return .callback("\(callback)&code=octocat")
        case .fails(let error): return .failure(error)
        }
    }

    private final class Shared: Sendable {
        private let deed = Mutex(Deed.consents("octocat"))

        var value: Deed {
            get { deed.withLock { $0 } }
            set { deed.withLock { $0 = newValue } }
        }
    }
}

/// A browser whose page shows a code to paste. It asks again if the text is blank.
struct PastingBrowser: WebAuthenticator {
    let prompt: PastePrompt

    var capabilities: WebAuthenticationCapabilities { .init(knowsCancel: false, isEphemeral: false) }

    func prepare(_ callback: CallbackMethod) async throws(WebAuthenticationError) -> any WebAuthenticationAttempt {
        try await BrowserAuthenticator(opener: NoPage(), waitsWhenNotShown: true, pastePrompt: prompt).prepare(callback)
    }

    private struct NoPage: PageOpener {
        func open(_ url: String) async throws(WebAuthenticationError) {}
    }
}
