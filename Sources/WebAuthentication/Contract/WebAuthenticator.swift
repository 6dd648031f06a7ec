/// An authenticator that shows a page to the user and returns the callback, complete and exactly once.
///
/// There are two steps, because the redirect URI must be known, and its port bound, before the page's URL can be created.
public protocol WebAuthenticator: Sendable {
    /// The capabilities of this authenticator.
    var capabilities: WebAuthenticationCapabilities { get }

    /// Prepares to receive a callback: for a loopback callback, this binds the port.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotReceive` if the callback method or the port is not available.
    func prepare(_ callback: CallbackMethod) async throws(WebAuthenticationError) -> any WebAuthenticationAttempt
}

extension WebAuthenticator {
    /// Combines both steps: prepares, creates the page's URL from the redirect URI, shows the page and waits.
    ///
    /// - Parameters:
    ///   - callback: How the callback is received.
    ///   - request: Called with the redirect URI; returns the page to show and the callback to wait for.
    /// - Throws: ``WebAuthenticationError``, or the error of `request` after everything that was prepared has been released.
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

/// One sign-in by one user, from the prepared redirect URI to its only outcome.
public protocol WebAuthenticationAttempt: Sendable {
    /// The redirect URI for the authorization request.
    var redirectURI: String { get }

    /// Shows the page and waits for the callback that the request expects.
    ///
    /// Finishes exactly once: with the callback, or with one ``WebAuthenticationError``. Cancelling the task ends it with
    /// `.cancelledByProgram`.
    func authenticate(_ request: WebAuthenticationRequest) async throws(WebAuthenticationError) -> ReceivedCallback

    /// Shows the page again while ``authenticate(_:)`` waits, in case the user closed it. Does nothing if no page is shown, or if the
    /// authenticator detects that its window is closed.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotShow`; the sign-in keeps waiting.
    func showAgain() async throws(WebAuthenticationError)

    /// Releases what ``WebAuthenticator/prepare(_:)`` acquired if ``authenticate(_:)`` was never called; harmless otherwise.
    func close() async
}

extension WebAuthenticationAttempt {
    /// Does nothing. Attempts that can show the page again replace this implementation.
    public func showAgain() async throws(WebAuthenticationError) {}
}

/// What a program can rely on, and say to the user, before a page is shown.
public struct WebAuthenticationCapabilities: Sendable, Hashable {
    /// The kinds of callback that can be received.
    public var callbacks: Set<CallbackMethod.Kind>
    /// Whether the authenticator detects that the user closed the window.
    public var knowsCancel: Bool
    /// Whether the browser leaves nothing of the sign-in behind.
    public var isEphemeral: Bool

    /// Creates capabilities. By default, only loopback callbacks can be received.
    public init(callbacks: Set<CallbackMethod.Kind> = [.loopback], knowsCancel: Bool, isEphemeral: Bool) {
        self.callbacks = callbacks
        self.knowsCancel = knowsCancel
        self.isEphemeral = isEphemeral
    }
}

/// The page to show and the callback to wait for.
public struct WebAuthenticationRequest: Sendable {
    /// The absolute https (or loopback http) URL to show.
    public var url: String
    /// Returns whether a callback at the redirect URI belongs to this sign-in. Any other gets an error page, and the sign-in keeps
    /// waiting. If only the sign-in's own browser can deliver a callback, the sign-in ends with `.unexpectedCallback` instead.
    public var expects: @Sendable (CallbackURL) -> Bool
    /// Called with everything ignored so far if something arrives that is not accepted while the sign-in keeps waiting: once per kind,
    /// because attackers can send thousands.
    public var onIgnored: @Sendable (IgnoredCallbacks) -> Void = { _ in }
    /// The carrier of the response, as requested from the authorization server.
    public var carrier: CallbackCarrier
    /// The time to wait for the user.
    public var timeout: Duration
    /// Header fields for the first request for ``url`` only; each name begins with `X-`. Authenticators that cannot send them fail with
    /// `.cannotShow` instead of dropping them.
    public var additionalHeaderFields: [String: String]

    /// Creates a request that waits 300 seconds for the user by default.
    public init(
        url: String, carrier: CallbackCarrier = .query, timeout: Duration = .seconds(300), additionalHeaderFields: [String: String] = [:],
        expects: @escaping @Sendable (CallbackURL) -> Bool
    ) {
        self.url = url
        self.carrier = carrier
        self.timeout = timeout
        self.additionalHeaderFields = additionalHeaderFields
        self.expects = expects
    }
}
