public import WebAuthentication

/// The browsers in which the app can show sign-in pages.
public struct Browsers: Sendable {
    /// The user's own browser, in which the user may already be signed in and stays signed in.
    public var shared: any WebAuthenticator
    /// A private browser that starts with no one signed in and stores nothing. The user has to enter the password, or can sign in as
    /// another user.
    public var ephemeral: any WebAuthenticator
    /// A closure that creates an authenticator for providers that cannot redirect to the app. The authenticator asks the user to paste the
    /// text that the provider's page shows.
    public var pasting: @Sendable (@escaping PastePrompt) -> any WebAuthenticator
    /// A closure that creates the same authenticator with a private browser. If nil, private browsers are not offered for these providers.
    package var ephemeralPasting: (@Sendable (@escaping PastePrompt) -> any WebAuthenticator)?
    /// The user's own browser, for pages without a callback, such as a logout page.
    public var opener: any PageOpener = SystemBrowser()

    /// Creates a set of browsers. ``opener`` is the system's browser unless you set another one.
    ///
    /// - Parameter ephemeralPasting: The same as `pasting`, but with a private browser. If nil, a private browser is not offered for
    ///   these providers.
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
