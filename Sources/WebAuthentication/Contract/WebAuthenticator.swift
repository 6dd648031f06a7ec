/// An authenticator that shows a sign-in page to the user and returns the callback, complete and exactly once.
///
/// A sign-in has two steps: the redirect URI must be known, and its port bound, before the URL of the page can be created.
public protocol WebAuthenticator: Sendable {
    /// The capabilities of this authenticator.
    var capabilities: WebAuthenticationCapabilities { get }

    /// Prepares to receive a callback. For a loopback callback, this binds the port.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotReceive` if the callback method or the port is not available.
    func prepare(_ callback: CallbackMethod) async throws(WebAuthenticationError) -> any WebAuthenticationAttempt
}

extension WebAuthenticator {
    /// Performs both steps: prepares to receive the callback, creates the URL of the page from the redirect URI, shows the page, and waits.
    ///
    /// - Parameters:
    ///   - callback: The way in which the callback is received.
    ///   - request: Called with the redirect URI. Returns the page to show and the callback to wait for.
    /// - Throws: ``WebAuthenticationError``, or the error that `request` throws. Everything that was prepared is released first.
    public func authenticate(
        receiving callback: CallbackMethod,
        request: (_ redirectURI: String) throws(WebAuthenticationError) -> WebAuthenticationRequest
    ) async throws(WebAuthenticationError) -> ReceivedCallback {
        let attempt = try await prepare(callback)
        let made: WebAuthenticationRequest
        do {
            made = try request(attempt.redirectURI)
        } catch {
            await attempt.close()
            throw error
        }
        return try await attempt.authenticate(made)
    }
}

/// One attempt of a user to sign in. It starts with a prepared redirect URI, and has one result: a callback or an error.
public protocol WebAuthenticationAttempt: Sendable {
    /// The redirect URI for the authorization request.
    var redirectURI: String { get }

    /// Shows the page and waits for the callback that the request expects. Call this once.
    ///
    /// - Throws: ``WebAuthenticationError``; with `.cancelledByProgram` if the task is cancelled.
    func authenticate(_ request: WebAuthenticationRequest) async throws(WebAuthenticationError) -> ReceivedCallback

    /// Shows the page again while ``authenticate(_:)`` waits, in case the user closed it. Does nothing if no page is shown, or if the
    /// authenticator detects that its window is closed.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotShow`. The sign-in still keeps waiting.
    func showAgain() async throws(WebAuthenticationError)

    /// Releases what ``WebAuthenticator/prepare(_:)`` acquired, such as a port, if ``authenticate(_:)`` was never called. Otherwise, does
    /// nothing.
    func close() async
}

extension WebAuthenticationAttempt {
    /// Does nothing. Attempts that can show the page again replace this implementation.
    public func showAgain() async throws(WebAuthenticationError) {}
}

/// The capabilities of an authenticator, which are known before it shows a page.
public struct WebAuthenticationCapabilities: Sendable, Hashable {
    /// The kinds of callback that can be received.
    public var callbacks: Set<CallbackMethod.Kind>
    /// Whether the authenticator detects that the user has closed the window.
    public var knowsCancel: Bool
    /// Whether the browser stores nothing of the sign-in after it has finished.
    public var isEphemeral: Bool

    /// Creates capabilities. By default, only loopback callbacks can be received.
    public init(callbacks: Set<CallbackMethod.Kind> = [.loopback], knowsCancel: Bool, isEphemeral: Bool) {
        self.callbacks = callbacks
        self.knowsCancel = knowsCancel
        self.isEphemeral = isEphemeral
    }
}

/// The page that a sign-in shows, and the callback that it waits for.
public struct WebAuthenticationRequest: Sendable {
    /// The absolute https (or loopback http) URL to show.
    public var url: String
    /// Returns whether a callback at the redirect URI belongs to this sign-in. If it does not, the browser shows an error page, and the
    /// sign-in keeps waiting. If only the sign-in's own browser can deliver a callback, the sign-in ends with `.unexpectedCallback`
    /// instead.
    public var expects: @Sendable (CallbackURL) -> Bool
    /// Called if something arrives that is not accepted, while the sign-in keeps waiting. The value contains everything that has been
    /// ignored so far. It is called only once for each kind of ignored callback or request, because an attacker can send thousands of them.
    public var onIgnored: @Sendable (IgnoredCallbacks) -> Void = { _ in }
    /// The response mode of the response, as requested from the authorization server.
    public var responseMode: CallbackResponseMode
    /// The maximum time to wait for the user; 300 seconds by default.
    public var timeout: Duration
    /// Additional header fields for the first request to ``url``. Each name must start with `X-`. An authenticator that cannot send header
    /// fields fails with `.cannotShow`.
    public var additionalHeaderFields: [String: String]

    /// Creates a request. By default, it waits 300 seconds for the user.
    public init(
        url: String, responseMode: CallbackResponseMode = .query, timeout: Duration = .seconds(300),
        additionalHeaderFields: [String: String] = [:],
        expects: @escaping @Sendable (CallbackURL) -> Bool
    ) {
        self.url = url
        self.responseMode = responseMode
        self.timeout = timeout
        self.additionalHeaderFields = additionalHeaderFields
        self.expects = expects
    }
}
