public import AuthHubPrimitives

/// A callback exactly as received; nothing in it has been checked yet.
public struct CallbackURL: Sendable {
    /// The complete URL. It is secret because it contains an authorization code or a token.
    public let url: Secret<String>
    /// The content that was received with it.
    public let content: Content

    /// The location of the response.
    public enum Content: Sendable, Hashable {
        /// In the URL itself.
        case inURL
        /// In a form that was posted to the URL, as received.
        case form(Secret<String>)
        /// The code or token itself, which the user copied from the provider's page; the URL is the URL of that page.
        case pin(Secret<String>)
    }

    public init(_ url: String, content: Content = .inURL) {
        self.url = Secret(url)
        self.content = content
    }

    func isSame(as other: Self) -> Bool { url == other.url && content == other.content }
}

/// A received callback, and the user's page that still waits for the result.
public struct ReceivedCallback: Sendable {
    public let callback: CallbackURL
    private let answering: @Sendable (CallbackPage) async -> Void

    /// Creates a callback.
    ///
    /// - Parameter answer: Shows the page to the user; called at most once.
    public init(_ callback: CallbackURL, answer: @escaping @Sendable (CallbackPage) async -> Void = { _ in }) {
        self.callback = callback
        answering = answer
    }

    /// Shows the user the result, in the browser that delivered the callback if there is one. Always call it exactly once, and only after
    /// the code exchange: otherwise the page may be wrong.
    public func conclude(_ page: CallbackPage) async {
        await answering(page)
    }
}

/// The content of the last page for the user.
public enum CallbackPage: Sendable, Hashable {
    case signedIn
    case signedOut
    /// The reason for the failure, as plain text; escaped when it is shown.
    case failed(String)
}
