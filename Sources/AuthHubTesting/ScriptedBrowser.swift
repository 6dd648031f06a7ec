import AuthHubPrimitives
import Synchronization
public import WebAuthentication

/// A person and a browser in one, played by a closure: it gets the URL of the page and says what comes back.
///
///     let browser = ScriptedBrowser { url in
///         .callback("http://127.0.0.1:49152/callback?code=c&state=\(state(in: url))")
///     }
public final class ScriptedBrowser: WebAuthenticator {
    /// What the person did.
    public enum Visit: Sendable {
        /// The browser was sent to this URL, which is judged like any other callback.
        case callback(String)
        /// The browser posted this form to the redirect URI.
        case form(String)
        /// The person pasted this, as a provider's pin page showed it.
        case pin(String)
        /// The person closed the window.
        case cancelled
        case failure(WebAuthenticationError)
    }

    public let redirectURI: String
    private let visit: @Sendable (String) async -> Visit
    private let record = Mutex(Record())

    private struct Record: Sendable {
        var visitedURLs: [String] = []
        var watchers = CountWatchers()
        var pages: [CallbackPage] = []
    }

    /// - Parameters:
    ///   - redirectURI: What every attempt gives as its redirect URI; nothing listens there.
    ///   - visit: Gets the URL that a browser would show.
    public init(redirectURI: String = "http://127.0.0.1:49152/callback", visit: @escaping @Sendable (String) async -> Visit) {
        self.redirectURI = redirectURI
        self.visit = visit
    }

    /// The URLs that were shown, in order.
    public var visitedURLs: [String] { record.withLock(\.visitedURLs) }

    /// Returns as soon as at least so many URLs were shown; also if the waiting task is cancelled.
    public func untilVisited(_ count: Int = 1) async {
        await record.withLock { $0.watchers.latch(for: count, reached: $0.visitedURLs.count) }?.wait()
    }

    private func show(_ url: String) {
        let latches = record.withLock { record in
            record.visitedURLs.append(url)
            return record.watchers.reached(record.visitedURLs.count)
        }
        for latch in latches { latch.open(()) }
    }

    /// How the sign-ins were concluded, in order.
    public var pages: [CallbackPage] { record.withLock(\.pages) }

    public var capabilities: WebAuthenticationCapabilities { .init(knowsCancel: true, isEphemeral: true) }

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
