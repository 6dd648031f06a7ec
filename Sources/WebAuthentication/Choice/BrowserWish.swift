/// A program's requirements for the browser that shows a sign-in.
public struct BrowserWish: Sendable, Hashable {
    /// The requested browser, if it matters.
    public enum Browser: Sendable, Hashable {
        /// Any browser that meets the requirements; without requirements, the user's usual browser.
        case `default`
        case chromium
        case firefox
        /// The browser that this command opens, as ``SystemBrowser`` parses it.
        case command(String)
        /// No browser: the user opens the page manually.
        case none
    }

    /// The kind of callback.
    public var callback: CallbackMethod.Kind
    /// Whether the browser must be private and ephemeral: it stores nothing of the sign-in, and has no access to the user's other sessions.
    public var ephemeral: Bool
    /// Whether the authenticator must detect that the user closes the window.
    public var knowsCancel: Bool
    public var browser: Browser

    public init(
        callback: CallbackMethod.Kind = .loopback, ephemeral: Bool = false, knowsCancel: Bool = false, browser: Browser = .default
    ) {
        self.callback = callback
        self.ephemeral = ephemeral
        self.knowsCancel = knowsCancel
        self.browser = browser
    }
}
