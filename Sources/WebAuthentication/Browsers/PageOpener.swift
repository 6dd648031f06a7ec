/// A type that shows a page to the user.
public protocol PageOpener: Sendable {
    /// The capabilities of this opener. By default, only loopback callbacks are possible.
    var capabilities: WebAuthenticationCapabilities { get }

    /// Checks whether pages can be opened, before a port is bound. Does nothing by default.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotShow`. Its explanation says what the user should install or set.
    func check() throws(WebAuthenticationError)

    /// Opens a page. Returns as soon as the browser has started, and does not wait until it exits. If the task is cancelled, the function
    /// must return early.
    ///
    /// A ``BrowserAuthenticator`` does not pass the URL of the sign-in page, which would be visible in the arguments of the browser. It
    /// passes a loopback URL that works once and redirects the browser to the page.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotShow`. Its explanation names the commands that were tried, but never the URL.
    func open(_ url: String) async throws(WebAuthenticationError)

    /// Opens a page as ``open(_:)`` does, and returns its window; nil if this opener cannot observe its windows. An opener that returns
    /// windows must set `knowsCancel` in its ``capabilities``.
    func openWindow(_ url: String) async throws(WebAuthenticationError) -> (any BrowserWindow)?
}

/// A window that was opened only for a single sign-in.
public protocol BrowserWindow: Sendable {
    /// Waits until the window is closed, by the user or by ``close()``. Returns the error to report if the callback has not arrived:
    /// `.cancelledByUser`, or `.cannotShow` if the browser failed.
    func closed() async -> WebAuthenticationError
    /// Closes the window and removes its data. Can be called more than once.
    func close() async
}

extension PageOpener {
    /// The default capabilities: loopback callbacks only, no private session, and no detection of closed windows.
    public var capabilities: WebAuthenticationCapabilities { .init(knowsCancel: false, isEphemeral: false) }

    /// Checks nothing. Openers that can detect problems in advance replace this implementation.
    public func check() throws(WebAuthenticationError) {}

    /// Opens the page as ``open(_:)`` does, and returns nil, because the window cannot be observed.
    public func openWindow(_ url: String) async throws(WebAuthenticationError) -> (any BrowserWindow)? {
        try await open(url)
        return nil
    }
}
