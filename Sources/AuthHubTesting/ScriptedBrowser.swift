import AuthHubPrimitives
import Synchronization
public import WebAuthentication

/// A stub for a browser and its user: a closure receives the URL of the sign-in page and returns what the user does.
///
///     let browser = ScriptedBrowser { url in
///         .callback("http://127.0.0.1:49152/callback?code=c&state=\(state(in: url))")
///     }
public final class ScriptedBrowser: WebAuthenticator {
    /// What the user does on the sign-in page.
    public enum Visit: Sendable {
        /// The browser is redirected to this URL, which is validated like any other callback.
        case callback(String)
        /// The browser posts this form to the redirect URI.
        case form(String)
        /// The user pastes this text from a provider's page that shows the code or token.
        case pin(String)
        /// The user closes the window.
        case cancelled
        case failure(WebAuthenticationError)
    }

    /// The redirect URI of every attempt. Nothing listens there.
    package let redirectURI: String
    private let visit: @Sendable (String) async -> Visit
    private let record = Mutex(Record())

    private struct Record: Sendable {
        var visitedURLs: [String] = []
        var watchers = CountWatchers()
        var pages: [CallbackPage] = []
    }

    /// Creates a browser.
    ///
    /// - Parameters:
    ///   - redirectURI: The redirect URI of every sign-in attempt. Nothing listens at this URI.
    ///   - visit: Receives the URL that a browser would show, and returns what the user does.
    public init(redirectURI: String = "http://127.0.0.1:49152/callback", visit: @escaping @Sendable (String) async -> Visit) {
        self.redirectURI = redirectURI
        self.visit = visit
    }

    /// The URLs of the pages that were shown, in order.
    public var visitedURLs: [String] { record.withLock(\.visitedURLs) }

    /// Returns as soon as at least this number of URLs was shown, or the waiting task is cancelled.
    package func untilVisited(_ count: Int = 1) async {
        await record.withLock { $0.watchers.latch(for: count, reached: $0.visitedURLs.count) }?.wait()
    }

    private func show(_ url: String) {
        let latches = record.withLock { record in
            record.visitedURLs.append(url)
            return record.watchers.reached(record.visitedURLs.count)
        }
        for latch in latches { latch.open(()) }
    }

    /// The results of the sign-ins, in order.
    package var pages: [CallbackPage] { record.withLock(\.pages) }

    /// The capabilities of a private browser that detects when the user closes the window.
    public var capabilities: WebAuthenticationCapabilities { .init(knowsCancel: true, isEphemeral: true) }

    /// Creates a sign-in attempt that calls the test's closure instead of showing a page. Supports every callback method.
    public func prepare(_ callback: CallbackMethod) async throws(WebAuthenticationError) -> any WebAuthenticationAttempt {
        Attempt(browser: self)
    }

    private struct Attempt: WebAuthenticationAttempt {
        let browser: ScriptedBrowser

        var redirectURI: String { browser.redirectURI }

        func authenticate(_ request: WebAuthenticationRequest) async throws(WebAuthenticationError) -> ReceivedCallback {
            guard !Task.isCancelled else { throw WebAuthenticationError(.cancelledByProgram) }
            browser.show(request.url)
            let visit = await browser.visit(request.url)
            guard !Task.isCancelled else { throw WebAuthenticationError(.cancelledByProgram) }
            switch visit {
            case .cancelled: throw WebAuthenticationError(.cancelledByUser)
            case .failure(let error): throw error
            case .callback(let url): return try receive(CallbackURL(url), request)
            case .form(let form): return try receive(CallbackURL(redirectURI, content: .form(Secret(form))), request)
            case .pin(let text): return try receive(CallbackURL(redirectURI, content: .pin(Secret(text))), request)
            }
        }

        private func receive(
            _ callback: CallbackURL, _ request: WebAuthenticationRequest
        ) throws(WebAuthenticationError) -> ReceivedCallback {
            guard request.expects(callback) else {
                throw WebAuthenticationError(
                    .unexpectedCallback, "the scripted callback is not the one this sign-in expects")
            }
            return ReceivedCallback(callback) { [browser] page in browser.record.withLock { $0.pages.append(page) } }
        }

        func close() async {}
    }
}
