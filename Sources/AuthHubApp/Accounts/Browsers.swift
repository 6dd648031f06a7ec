public import WebAuthentication

/// The ways to show a sign-in page that the person can choose from.
public struct Browsers: Sendable {
    /// Knows the person already, and remembers the sign-in.
    public var shared: any WebAuthenticator
    /// Knows nobody and keeps nothing: the password is asked for, and another person can sign in.
    public var ephemeral: any WebAuthenticator
    /// Where no callback can arrive: asks the person for what the page shows.
    public var pasting: @Sendable (@escaping PastePrompt) -> any WebAuthenticator

    public init(
        shared: any WebAuthenticator, ephemeral: any WebAuthenticator,
        pasting: @escaping @Sendable (@escaping PastePrompt) -> any WebAuthenticator
    ) {
        self.shared = shared
        self.ephemeral = ephemeral
        self.pasting = pasting
    }
}

extension Browsers {
    /// The person's own browser, and the one that ``WebAuthentication/BrowserChoice`` finds for what is to leave no trace.
    public static var system: Self {
        Self(shared: .system, ephemeral: .system(ephemeral: true)) { prompt in
            BrowserAuthenticator(opener: SystemBrowser(), waitsWhenNotShown: true, pastePrompt: prompt)
        }
    }
}
