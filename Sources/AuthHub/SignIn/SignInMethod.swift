public import WebAuthentication

/// How a session comes to tokens when it has none, or none that are good.
public struct SignInMethod: Sendable {
    enum Kind: Sendable {
        case browser(any WebAuthenticator)
    }

    let kind: Kind

    /// The authorization server's page in a browser, and the callback that it leads to (RFC 6749 §4.1).
    public static func browser(_ browser: any WebAuthenticator) -> Self {
        Self(kind: .browser(browser))
    }

    /// What shows pages to the person, where this method does.
    var browser: (any WebAuthenticator)? {
        switch kind {
        case .browser(let browser): browser
        }
    }
}
