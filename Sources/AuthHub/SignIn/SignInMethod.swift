public import WebAuthentication

/// How a session comes to tokens when it has none, or none that are good.
public struct SignInMethod: Sendable {
    enum Kind: Sendable {
        case browser(any WebAuthenticator)
        case clientCredentials
    }

    let kind: Kind

    /// The authorization server's page in a browser, and the callback that it leads to (RFC 6749 §4.1).
    public static func browser(_ browser: any WebAuthenticator) -> Self {
        Self(kind: .browser(browser))
    }

    /// The program's own credentials, for access that is no person's (RFC 6749 §4.4): for servers, with a client that has a secret.
    ///
    /// A token that has ended, or is refused, is replaced by a new one whenever a request needs it, whatever the session's policies say:
    /// there is nobody to ask. ``OAuthSession/refresh()`` asks for a new one, too.
    public static let clientCredentials = Self(kind: .clientCredentials)

    /// Whether someone has to agree before there is a token.
    var needsPerson: Bool {
        switch kind {
        case .clientCredentials: false
        default: true
        }
    }

    /// What shows pages to the person, where this method does.
    var browser: (any WebAuthenticator)? {
        switch kind {
        case .browser(let browser): browser
        case .clientCredentials: nil
        }
    }
}
