/// Brings a page in front of a person.
public protocol PageOpener: Sendable {
    /// What this opener can promise; nothing, unless it says otherwise.
    var capabilities: WebAuthenticationCapabilities { get }

    /// Says before a port is bound whether there is anything to open pages with. Does nothing, unless an opener has something to check.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotShow` and what to install or set.
    func check() throws(WebAuthenticationError)

    /// Opens the page, and returns once the browser was started, not when it ends. Has to stop early where its task is cancelled.
    ///
    /// A ``BrowserAuthenticator`` passes a loopback URL that redirects the browser to the sign-in page and works once, so that the page's
    /// own URL is in no argument list.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotShow`; the explanation names what was tried, but never the URL.
    func open(_ url: String) async throws(WebAuthenticationError)

    /// Opens the page as ``open(_:)`` does, in a window that can be followed; nil where this opener knows nothing of its windows.
    /// One that follows them says so by the `knowsCancel` of its ``capabilities``.
    func openWindow(_ url: String) async throws(WebAuthenticationError) -> (any BrowserWindow)?
}

/// A window that was opened for one sign-in alone.
public protocol BrowserWindow: Sendable {
    /// Returns when the window is gone, whoever closed it, with what that means where the callback had not come yet:
    /// `.cancelledByUser`, or `.cannotShow` where the browser failed.
    func closed() async -> WebAuthenticationError
    /// Closes the window and removes what it left behind; harmless if repeated.
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
