/// Shows a page to a person and brings back the callback, whole and once.
///
/// Two steps, because the redirect URI must be known, and its port held, before the page's address can be made.
public protocol WebAuthenticator: Sendable {
    /// What this authenticator can promise.
    var capabilities: WebAuthenticationCapabilities { get }

    /// Gets ready to receive a callback: for a loopback callback the port is bound from here on.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotReceive` where the callback method or the port cannot be had.
    func prepare(_ callback: CallbackMethod) async throws(WebAuthenticationError) -> any WebAuthenticationAttempt
}

extension WebAuthenticator {
    /// Both steps in one: gets ready, makes the page's address from the redirect URI, shows it and waits.
    ///
    /// - Parameters:
    ///   - callback: How the callback comes back.
    ///   - request: Gets the redirect URI, and says what to show and which callback to wait for.
    /// - Throws: ``WebAuthenticationError``; also that of `request`, after everything that was taken has been let go of.
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

/// One sign-in in front of one person, from the prepared redirect URI to its one outcome.
public protocol WebAuthenticationAttempt: Sendable {
    /// The redirect URI to put into the authorization request.
    var redirectURI: String { get }

    /// Shows the page and waits for the callback that the request expects.
    ///
    /// Ends exactly once: with the callback, or with one ``WebAuthenticationError``. Cancelling the task ends it with `.cancelledByProgram`.
    func authenticate(_ request: WebAuthenticationRequest) async throws(WebAuthenticationError) -> ReceivedCallback

    /// Shows the page again while ``authenticate(_:)`` waits, for a user who has closed it. Does nothing if no page is shown now, and with
    /// an authenticator that notices when its window is closed.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotShow`; waiting goes on.
    func showAgain() async throws(WebAuthenticationError)

    /// Lets go of what ``WebAuthenticator/prepare(_:)`` took, where ``authenticate(_:)`` was never called; harmless otherwise.
    func close() async
}

extension WebAuthenticationAttempt {
    public func showAgain() async throws(WebAuthenticationError) {}
}

/// What a program may rely on, and tell the person, before a page is shown.
public struct WebAuthenticationCapabilities: Sendable, Hashable {
    /// The kinds of callback that can be received.
    public var callbacks: Set<CallbackMethod.Kind>
    /// Whether a person who closes the window is noticed.
    public var knowsCancel: Bool
    /// Whether the browser keeps nothing of the sign-in.
    public var isEphemeral: Bool

    public init(callbacks: Set<CallbackMethod.Kind> = [.loopback], knowsCancel: Bool, isEphemeral: Bool) {
        self.callbacks = callbacks
        self.knowsCancel = knowsCancel
        self.isEphemeral = isEphemeral
    }
}

/// What to show, and which callback to wait for.
public struct WebAuthenticationRequest: Sendable {
    /// The absolute https (or loopback http) URL to show.
    public var url: String
    /// Says whether a callback at the redirect URI belongs to this sign-in; others are answered with an error page, and waiting goes on.
    /// If only the sign-in's own browser can bring a callback, there is nothing to wait for, and the sign-in ends with
    /// `.unexpectedCallback`.
    public var expects: @Sendable (CallbackURL) -> Bool
    /// Called with all that was ignored so far while waiting goes on although something arrived that was not accepted: once for each
    /// kind, because strangers can send thousands.
    public var onIgnored: @Sendable (IgnoredCallbacks) -> Void = { _ in }
    /// What carries the answer; the authorization server has been asked for it.
    public var carrier: CallbackCarrier
    /// How long to wait for the person.
    public var timeout: Duration
    /// Sent with the first request for ``url``, and with no other; each name begins with `X-`. Authenticators that cannot send them fail
    /// with `.cannotShow` rather than leave them out.
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
