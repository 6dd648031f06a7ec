public import AuthHubPrimitives

/// A callback as it came, to the byte; nothing of it has been judged yet.
public struct CallbackURL: Sendable {
    /// The whole URL. Secret: it holds an authorization code or a token.
    public let url: Secret<String>
    /// What came with it.
    public let content: Content

    /// Where the answer is.
    public enum Content: Sendable, Hashable {
        /// In the URL itself.
        case inURL
        /// In a form that was posted to the URL, as it came.
        case form(Secret<String>)
        /// The code or token itself, which a person copied from the provider's page; the URL is the address of that page.
        case pin(Secret<String>)
    }

    public init(_ url: String, content: Content = .inURL) {
        self.url = Secret(url)
        self.content = content
    }

    func isSame(as other: Self) -> Bool { url == other.url && content == other.content }
}

/// A callback that was received, and the person's page that still waits to be told how it ended.
public struct ReceivedCallback: Sendable {
    public let callback: CallbackURL
    private let answering: @Sendable (CallbackPage) async -> Void

    /// - Parameter answer: Shows the page to the person; called at most once.
    public init(_ callback: CallbackURL, answer: @escaping @Sendable (CallbackPage) async -> Void = { _ in }) {
        self.callback = callback
        answering = answer
    }

    /// Tells the person how it ended, in the browser that delivered the callback where there is one. To be called once, always: the
    /// page tells the truth only if the exchange comes first and the answer after.
    public func conclude(_ page: CallbackPage) async {
        await answering(page)
    }
}

/// What the person's last page says.
public enum CallbackPage: Sendable, Hashable {
    case signedIn
    case signedOut
    /// Why it did not work, as plain text; escaped where it is shown.
    case failed(String)
}
