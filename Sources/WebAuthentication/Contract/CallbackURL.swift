public import AuthHubPrimitives

/// A callback exactly as it was received; not validated yet.
public struct CallbackURL: Sendable {
    /// The complete URL. It is secret because it contains an authorization code or a token.
    public let url: Secret<String>
    /// The part of the callback that contains the response.
    public let content: Content

    /// The place where the response is.
    public enum Content: Sendable, Hashable {
        /// The response is in the URL itself.
        case inURL
        /// The response is in a form that was posted to the URL, unchanged.
        case form(Secret<String>)
        /// The response is the code or token that the user copied from the provider's page. ``CallbackURL/url`` is the URL of that page.
        case pin(Secret<String>)
    }

    /// Creates a callback. By default, the response is in the URL itself.
    public init(_ url: String, content: Content = .inURL) {
        self.url = Secret(url)
        self.content = content
    }

    func isSame(as other: Self) -> Bool { url == other.url && content == other.content }
}

/// A received callback. The browser that delivered it may still be waiting for the result.
public struct ReceivedCallback: Sendable {
    /// The callback exactly as it was received.
    public let callback: CallbackURL
    private let answering: @Sendable (CallbackPage) async -> Void

    /// Creates a callback.
    ///
    /// - Parameter answer: Shows the page to the user. It is called at most once.
    public init(_ callback: CallbackURL, answer: @escaping @Sendable (CallbackPage) async -> Void = { _ in }) {
        self.callback = callback
        answering = answer
    }

    /// Shows the result of the sign-in to the user, in the browser that delivered the callback. Call this exactly once, after you have
    /// requested the tokens, so that the page shows the real result. Does nothing if no browser is waiting.
    public func conclude(_ page: CallbackPage) async {
        await answering(page)
    }
}

/// The result that the last page shows to the user.
public enum CallbackPage: Sendable, Hashable {
    case signedIn
    case signedOut
    /// The sign-in failed. The value is the reason, as plain text; the page escapes it.
    case failed(String)
}
