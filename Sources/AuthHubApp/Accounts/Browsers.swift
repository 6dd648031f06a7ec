public import WebAuthentication

/// The ways to show a sign-in page that the person can choose from.
public struct Browsers: Sendable {
    /// Knows the person already, and remembers the sign-in.
    public var shared: any WebAuthenticator
    /// Knows nobody and keeps nothing: the password is asked for, and another person can sign in.
    public var ephemeral: any WebAuthenticator
    /// Where no callback can arrive: asks the person for what the page shows.
    public var pasting: @Sendable (@escaping PastePrompt) -> any WebAuthenticator
    /// The same in a browser that knows nobody. Where it is nil, such a browser is not offered for those providers.
    public var ephemeralPasting: (@Sendable (@escaping PastePrompt) -> any WebAuthenticator)?
    /// Opens pages that no callback is expected from, such as a log-out page, in the user's own browser.
    public var opener: any PageOpener = SystemBrowser()

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
    /// The person's own browser, and the one that ``WebAuthentication/BrowserChoice`` finds for what is to leave no trace.
    public static var system: Self {
        Self(
            shared: .system, ephemeral: .system(ephemeral: true), pasting: { .system(pastePrompt: $0) },
            ephemeralPasting: { .system(ephemeral: true, pastePrompt: $0) })
    }
}
