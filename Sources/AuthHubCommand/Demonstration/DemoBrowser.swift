import AsyncHTTPClientTransport
import AuthHubPrimitives
import HeadlessBrowsing
import DevelopmentServer
import Synchronization
import WebAuthentication

/// The user agent that signs in during the demonstration.
enum DemoBrowser: Sendable {
    /// The user's browser if it can be opened and can reach the server; otherwise, the built-in user agent.
    case whatThereIs
    case command(String)
    case headless
    /// The user opens the page.
    case byHand
}

/// An opener for the demonstration's page that falls back to the built-in user agent if no browser opens, and records which it was.
final class DemoPageOpener: PageOpener {
    private let choice: DemoBrowser
    private let person: DevelopmentUser
    private let progress: DemoProgress
    private let told = Mutex("")

    init(_ choice: DemoBrowser, person: DevelopmentUser, progress: DemoProgress) {
        self.choice = choice
        self.person = person
        self.progress = progress
    }

    /// A description of the browser or user agent that signed in.
    var account: String { told.withLock { $0 } }

    func open(_ url: String) async throws(WebAuthenticationError) {
        switch choice {
        case .headless: try await openHeadless(url, because: "as requested with --headless")
        case .byHand:
            told.withLock { $0 = "you opened the page" }
            progress.wait("Open this page in a browser on this machine:")
            progress.wait(url)
            tellPerson()
        case .command(let command):
            try await openBrowser(SystemBrowser(command: command), url, "the page was opened with \(command)")
        case .whatThereIs:
            let reach = BrowserFacts.here.reach
            guard reach.allowsLoopbackSignIn else { return try await openHeadless(url, because: reach.reason) }
            do {
                try await openBrowser(SystemBrowser(), url, "your browser showed the page")
            } catch  where error.code == .cannotShow {
                try await openHeadless(url, because: "no browser opened: \(error.message)")
            }
        }
    }

    private func openBrowser(_ browser: SystemBrowser, _ url: String, _ account: String) async throws(WebAuthenticationError) {
        told.withLock { $0 = account }
        try await browser.open(url)
        tellPerson()
    }

    private func tellPerson() {
        progress.wait("Sign in there as \(person.login) with the password \(person.password.reveal()). Ctrl-C cancels.")
    }

    private func openHeadless(_ url: String, because reason: String) async throws(WebAuthenticationError) {
        told.withLock { $0 = "the built-in user agent filled in the forms as \(person.login) (\(reason))" }
        let filling = FormFilling(user: person.login, password: person.password, refuses: false)
        try await HeadlessBrowser(filling: filling, transport: NetworkTransport.shared).open(url)
    }
}
