public import WebAuthentication

/// The browsers for sign-in pages that the user can choose from.
public struct Browsers: Sendable {
    /// The browser that may already know the user and remembers the sign-in.
    public var shared: any WebAuthenticator
    /// A private browser in which no one is signed in and that stores nothing. It asks for the password, and another user can sign in.
    public var ephemeral: any WebAuthenticator
    /// A closure that creates an authenticator for providers whose callback cannot arrive. It asks the user to paste the text that the page
    /// shows.
    public var pasting: @Sendable (@escaping PastePrompt) -> any WebAuthenticator
    /// A closure that creates the same authenticator with a private browser. If nil, private browsers are not offered for these providers.
    package var ephemeralPasting: (@Sendable (@escaping PastePrompt) -> any WebAuthenticator)?
    /// The user's own browser, for pages that need no callback, such as a log-out page.
    public var opener: any PageOpener = SystemBrowser()

    /// Creates a choice of browsers. ``opener`` is the system's browser unless you set another one.
    public init(
        shared: any WebAuthenticator, ephemeral: any WebAuthenticator,
        pasting: @escaping @Sendable (@escaping PastePrompt) -> any WebAuthenticator,
        ephemeralPasting: (@Sendable (@escaping PastePrompt) -> any WebAuthenticator)? = nil
    ) {
        self.shared = shared
        self.ephemeral = ephemeral
        self.pasting = pasting
        self.ephemeralPasting = ephemeralPasting
    }
}

extension Browsers {
    /// The user's own browser, and the private browser that ``WebAuthentication/BrowserChoice`` finds.
    public static var system: Self {
        Self(
            shared: .system, ephemeral: .system(ephemeral: true), pasting: { .system(pastePrompt: $0) },
            ephemeralPasting: { .system(ephemeral: true, pastePrompt: $0) })
    }
}
