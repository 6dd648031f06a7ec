/// An opener that shows a page to the user.
public protocol PageOpener: Sendable {
    /// The capabilities of this opener; none by default.
    var capabilities: WebAuthenticationCapabilities { get }

    /// Checks, before a port is bound, whether a page can be opened. The default implementation does nothing.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotShow` and advice on what to install or set.
    func check() throws(WebAuthenticationError)

    /// Opens the page, and returns once the browser was started, not when it ends. Must return early if its task is cancelled.
    ///
    /// A ``BrowserAuthenticator`` passes a loopback URL that redirects the browser to the sign-in page and works only once, so that the
    /// page's own URL is not in any argument list.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotShow`; the explanation names the attempted commands, but never the URL.
    func open(_ url: String) async throws(WebAuthenticationError)

    /// Opens the page as ``open(_:)`` does, in a window that can be observed; returns nil if this opener does not observe its windows.
    /// An opener that observes them sets `knowsCancel` in its ``capabilities``.
    func openWindow(_ url: String) async throws(WebAuthenticationError) -> (any BrowserWindow)?
}

/// A window that was opened for a single sign-in.
public protocol BrowserWindow: Sendable {
    /// Returns when the window is closed, for any reason. The error applies if the callback has not arrived yet: `.cancelledByPerson`, or
    /// `.cannotShow` if the browser failed.
    func closed() async -> WebAuthenticationError
    /// Closes the window and removes its files. Harmless if repeated.
    func close() async
}

extension PageOpener {
    public var capabilities: WebAuthenticationCapabilities { .init(knowsCancel: false, isEphemeral: false) }

    public func check() throws(WebAuthenticationError) {}

    public func openWindow(_ url: String) async throws(WebAuthenticationError) -> (any BrowserWindow)? {
        try await open(url)
        return nil
    }
}
