/// An authenticator that shows a page to the user and returns the callback, complete and exactly once.
///
/// There are two steps, because the redirect URI must be known, and its port bound, before the page's URL can be created.
public protocol WebAuthenticator: Sendable {
    /// The capabilities of this authenticator.
    var capabilities: WebAuthenticationCapabilities { get }

    /// Prepares to receive a callback; the port of a loopback callback is bound from now on.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotReceive` if the callback method or the port is not available.
    func prepare(_ callback: CallbackMethod) async throws(WebAuthenticationError) -> any WebAuthenticationAttempt
}

extension WebAuthenticator {
    /// Performs both steps: prepares, creates the page's URL from the redirect URI, shows it and waits.
    ///
    /// - Parameters:
    ///   - callback: The way the callback is received.
    ///   - request: Called with the redirect URI; returns what to show and which callback to wait for.
    /// - Throws: ``WebAuthenticationError``; also the error of `request`, after all resources have been released.
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

/// A single sign-in, from the prepared redirect URI to its outcome.
public protocol WebAuthenticationAttempt: Sendable {
    /// The redirect URI for the authorization request.
    var redirectURI: String { get }

    /// Shows the page and waits for the callback that the request expects.
    ///
    /// Ends exactly once: with the callback, or with one ``WebAuthenticationError``. Cancelling the task ends it with `.cancelledByProgram`.
    func authenticate(_ request: WebAuthenticationRequest) async throws(WebAuthenticationError) -> ReceivedCallback

    /// Shows the page again while ``authenticate(_:)`` waits, for a user who has closed it. Does nothing if no page is shown at the moment,
    /// or if the authenticator detects when its window is closed.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotShow`; waiting continues.
    func showAgain() async throws(WebAuthenticationError)

    /// Releases the resources of ``WebAuthenticator/prepare(_:)`` if ``authenticate(_:)`` was never called; otherwise harmless.
    func close() async
}

extension WebAuthenticationAttempt {
    public func showAgain() async throws(WebAuthenticationError) {}
}

/// The capabilities that a program may rely on, and mention to the user, before a page is shown.
public struct WebAuthenticationCapabilities: Sendable, Hashable {
    /// The kinds of callback that can be received.
    public var callbacks: Set<CallbackMethod.Kind>
    /// Whether the authenticator detects that the user closes the window.
    public var knowsCancel: Bool
    /// Whether the browser stores nothing of the sign-in.
    public var isEphemeral: Bool

    public init(callbacks: Set<CallbackMethod.Kind> = [.loopback], knowsCancel: Bool, isEphemeral: Bool) {
        self.callbacks = callbacks
        self.knowsCancel = knowsCancel
        self.isEphemeral = isEphemeral
    }
}

/// A request that describes the page to show, and the callback to wait for.
public struct WebAuthenticationRequest: Sendable {
    /// The absolute https (or loopback http) URL to show.
    public var url: String
    /// Whether a callback at the redirect URI belongs to this sign-in; others get an error page, and waiting continues. If only the
    /// sign-in's own browser can deliver a callback, there is nothing to wait for, and the sign-in ends with `.unexpectedCallback`.
    public var expects: @Sendable (CallbackURL) -> Bool
    /// A closure that is called with everything ignored so far when something arrives that is not accepted and waiting continues: once for
    /// each kind, because strangers can send thousands.
    public var onIgnored: @Sendable (IgnoredCallbacks) -> Void = { _ in }
    /// The carrier of the response, as requested from the authorization server.
    public var carrier: CallbackCarrier
    /// The time to wait for the user.
    public var timeout: Duration
    /// Header fields that are only sent with the first request for ``url``; each name starts with `X-`. Authenticators that cannot send
    /// them fail with `.cannotShow` instead of omitting them.
    public var additionalHeaderFields: [String: String]

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
