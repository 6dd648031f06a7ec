/// Shows a page to a user.
public protocol PageOpener: Sendable {
    /// The capabilities of this opener; none by default.
    var capabilities: WebAuthenticationCapabilities { get }

    /// Checks, before a port is bound, that pages can be opened. Does nothing by default.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotShow`, saying advice on what to install or set.
    func check() throws(WebAuthenticationError)

    /// Opens the page. Returns once the browser has started, not when it exits. Must stop early if its task is cancelled.
    ///
    /// A ``BrowserAuthenticator`` passes a loopback URL that works once and redirects the browser to the sign-in page, so that the page's
    /// own URL is in no argument list.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotShow`; the explanation names the attempted commands, but never the URL.
    func open(_ url: String) async throws(WebAuthenticationError)

    /// Opens the page as ``open(_:)`` does, in a window that can be observed; nil if this opener cannot observe its windows. An opener
    /// that can has `knowsCancel` in its ``capabilities``.
    func openWindow(_ url: String) async throws(WebAuthenticationError) -> (any BrowserWindow)?
}

/// A window that was opened only for a single sign-in.
public protocol BrowserWindow: Sendable {
    /// Returns when the window is closed, by anyone, with the error to report if the callback has not arrived: `.cancelledByUser`, or
    /// `.cannotShow` if the browser failed.
    func closed() async -> WebAuthenticationError
    /// Closes the window and removes its data. Can be called more than once.
    func close() async
}

extension PageOpener {
    /// Loopback callbacks only, in a browser that is neither private nor observed.
    public var capabilities: WebAuthenticationCapabilities { .init(knowsCancel: false, isEphemeral: false) }

    /// Checks nothing. Openers that can detect problems in advance replace this implementation.
    public func check() throws(WebAuthenticationError) {}

    /// Opens the page as ``open(_:)`` does, and returns nil, because the window cannot be observed.
    public func openWindow(_ url: String) async throws(WebAuthenticationError) -> (any BrowserWindow)? {
        try await open(url)
        return nil
    }
}
