import AsyncHTTPClientTransport
import AuthHubPrimitives
import HeadlessBrowsing
import DevelopmentServer
import Synchronization
import WebAuthentication

/// Who signs in during the demonstration.
enum DemoBrowser: Sendable {
    /// The person's browser where one can open and reach us, else the built-in user agent.
    case whatThereIs
    case command(String)
    case headless
}

/// Opens the demonstration's page, falls back to the built-in user agent where no browser opens, and remembers which it was.
final class DemoPageOpener: PageOpener {
    private let choice: DemoBrowser
    private let person: DevelopmentAuthorizationServer.User
    private let progress: DemoProgress
    private let told = Mutex("")

    init(_ choice: DemoBrowser, person: DevelopmentAuthorizationServer.User, progress: DemoProgress) {
        self.choice = choice
        self.person = person
        self.progress = progress
    }

    /// Who signed in, in words.
    var account: String { told.withLock { $0 } }

    func open(_ url: String) async throws(WebAuthenticationError) {
        switch choice {
        case .headless: try await openHeadless(url, because: "as requested with --headless")
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
        progress.wait("Sign in there as \(person.login) with the password \(person.password.reveal()), and allow access. Ctrl-C cancels.")
        try await browser.open(url)
    }

    private func openHeadless(_ url: String, because reason: String) async throws(WebAuthenticationError) {
        told.withLock { $0 = "the built-in user agent filled in the forms as \(person.login) (\(reason))" }
        let filling = FormFilling(user: person.login, password: person.password, refuses: false)
        try await HeadlessBrowser(filling: filling, transport: NetworkTransport.shared).open(url)
    }
}
