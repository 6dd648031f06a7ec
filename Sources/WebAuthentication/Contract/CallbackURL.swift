public import AuthHubPrimitives

/// A callback exactly as it was received; not validated yet.
public struct CallbackURL: Sendable {
    /// The complete URL. It is secret because it contains an authorization code or a token.
    public let url: Secret<String>
    /// The location of the response.
    public let content: Content

    /// The location of a response.
    public enum Content: Sendable, Hashable {
        /// The response is in the URL itself.
        case inURL
        /// The response is in a form that was posted to the URL, unchanged.
        case form(Secret<String>)
        /// The response is the code or token that the user copied from the provider's page; the URL is that page's.
        case pin(Secret<String>)
    }

    /// Creates a callback. By default, the response is in the URL itself.
    public init(_ url: String, content: Content = .inURL) {
        self.url = Secret(url)
        self.content = content
    }

    func isSame(as other: Self) -> Bool { url == other.url && content == other.content }
}

/// A received callback, and the browser page that still waits for the result.
public struct ReceivedCallback: Sendable {
    /// The callback exactly as it was received.
    public let callback: CallbackURL
    private let answering: @Sendable (CallbackPage) async -> Void

    /// Creates a callback.
    ///
    /// - Parameter answer: Shows the page to the user; called at most once.
    public init(_ callback: CallbackURL, answer: @escaping @Sendable (CallbackPage) async -> Void = { _ in }) {
        self.callback = callback
        answering = answer
    }

    /// Shows the result to the user, in the browser that delivered the callback if there is one. Call this exactly once, after the
    /// exchange, so that the page shows the real result.
    public func conclude(_ page: CallbackPage) async {
        await answering(page)
    }
}

/// The content of the last page that the user sees.
public enum CallbackPage: Sendable, Hashable {
    case signedIn
    case signedOut
    /// The reason of the failure, as plain text; escaped for the page.
    case failed(String)
}
