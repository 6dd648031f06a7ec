/// The requirements for the browser that shows a sign-in.
public struct BrowserRequirements: Sendable, Hashable {
    /// The browser that the caller requests.
    package enum Browser: Sendable, Hashable {
        /// Any browser that meets the requirements; without requirements, the user's default browser.
        case `default`
        case chromium
        case firefox
        /// The browser that this command opens, as ``SystemBrowser`` parses it.
        case command(String)
        /// No browser: the user opens the page manually.
        case none
    }

    /// The kind of the callback.
    package var callback: CallbackMethod.Kind
    /// Whether the browser must leave nothing behind and not share the user's sessions.
    package var ephemeral: Bool
    /// Whether the browser must report that the user closed the window.
    package var knowsCancel: Bool
    /// The browser to use; `default` leaves the choice to ``BrowserChoice``.
    package var browser: Browser

    /// Creates requirements. By default, any browser that can receive a loopback callback meets them.
    public init(callback: CallbackMethod.Kind = .loopback, ephemeral: Bool = false, knowsCancel: Bool = false) {
        self.init(callback: callback, ephemeral: ephemeral, knowsCancel: knowsCancel, browser: .default)
    }

    package init(callback: CallbackMethod.Kind = .loopback, ephemeral: Bool = false, knowsCancel: Bool = false, browser: Browser) {
        self.callback = callback
        self.ephemeral = ephemeral
        self.knowsCancel = knowsCancel
        self.browser = browser
    }
}
