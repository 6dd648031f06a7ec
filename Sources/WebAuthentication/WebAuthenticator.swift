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

/// One sign-in in front of one person, from the prepared redirect URI to its one outcome.
public protocol WebAuthenticationAttempt: Sendable {
    /// The redirect URI to put into the authorization request.
    var redirectURI: String { get }

    /// Shows the page and waits for the callback that the request expects.
    ///
    /// Ends exactly once: with the callback, or with one ``WebAuthenticationError``. Cancelling the task ends it with `.cancelledByProgram`.
    func authenticate(_ request: WebAuthenticationRequest) async throws(WebAuthenticationError) -> ReceivedCallback

    /// Lets go of what ``WebAuthenticator/prepare(_:)`` took, where ``authenticate(_:)`` was never called; harmless otherwise.
    func close() async
}

/// How the callback comes back.
public enum CallbackMethod: Sendable, Hashable {
    /// A listener on 127.0.0.1 (RFC 8252 §7.3); port 0 takes a free one.
    case loopback(port: UInt16 = 0, path: String = "/callback")
}

/// What a program may rely on, and tell the person, before a page is shown.
public struct WebAuthenticationCapabilities: Sendable, Hashable {
    /// Whether a person who closes the window is noticed.
    public var knowsCancel: Bool
    /// Whether the browser keeps nothing of the sign-in.
    public var isEphemeral: Bool

    public init(knowsCancel: Bool, isEphemeral: Bool) {
        self.knowsCancel = knowsCancel
        self.isEphemeral = isEphemeral
    }
}

/// What to show, and which callback to wait for.
public struct WebAuthenticationRequest: Sendable {
    /// The absolute https (or loopback http) URL to show.
    public var url: String
    /// Says whether a callback at the redirect URI belongs to this sign-in; others are answered with an error page, and waiting goes on.
    public var expects: @Sendable (CallbackURL) -> Bool
    /// How long to wait for the person.
    public var timeout: Duration

    public init(url: String, timeout: Duration = .seconds(300), expects: @escaping @Sendable (CallbackURL) -> Bool) {
        self.url = url
        self.timeout = timeout
        self.expects = expects
    }
}
