/// What a program wants of the browser that shows a sign-in.
public struct BrowserWish: Sendable, Hashable {
    /// Which browser, if that matters.
    public enum Browser: Sendable, Hashable {
        /// Whichever keeps the promises asked for; where none is asked for, the person's usual browser.
        case `default`
        case chromium
        case firefox
        /// The one this command opens, as ``SystemBrowser`` reads it.
        case command(String)
        /// None: the person opens the page by hand.
        case none
    }

    /// How the callback is to come back.
    public var callback: CallbackMethod.Kind
    /// Whether the browser may keep nothing of the sign-in, and know nothing of the person's other sessions.
    public var ephemeral: Bool
    /// Whether a person who closes the window has to be noticed.
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
