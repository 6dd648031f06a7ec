public import WebAuthentication

/// How a session obtains tokens when it has none, or none that are valid (RFC 6749 §1.3).
public struct AuthorizationGrant: Sendable {
    enum Kind: Sendable {
        case browser(any WebAuthenticator)
        case clientCredentials
        case device(DeviceCodePresentation)
    }

    let kind: Kind

    /// The authorization server's sign-in page in a browser, and the callback that it redirects to (RFC 6749 §4.1).
    ///
    /// A provider without the authorization code grant, such as AniList for clients without a secret, returns the token in the callback
    /// instead (RFC 6749 §4.2).
    public static func authorizationCode(_ browser: any WebAuthenticator) -> Self {
        Self(kind: .browser(browser))
    }

    /// The client's own credentials, for access that belongs to no user (RFC 6749 §4.4): for services, with a client that has a secret.
    ///
    /// If a request needs a token and the stored one has expired or is rejected, the session requests a new one, whatever its policies
    /// say, because there is no user to ask. ``OAuthSession/refresh()`` requests a new one, too.
    public static let clientCredentials = Self(kind: .clientCredentials)

    /// A code that the user enters in a browser on another device, such as a phone (RFC 8628): for programs on machines without a browser
    /// or a keyboard.
    ///
    /// While the user signs in, the session polls the server. Tokens are stored before a caller gets them, and sessions in other processes
    /// wait, as with a sign-in page. The device code itself is in memory only: if the process is killed, it is lost, and the next sign-in
    /// shows another code.
    ///
    /// ```swift
    /// let grant = AuthorizationGrant.deviceCode { code in
    ///     await screen.show(code)
    /// } dismiss: { code in
    ///     await screen.remove(code)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - show: Shows a code and its URL, and returns when they are shown. To let the user cancel, cancel the task that waits for the
    ///     sign-in.
    ///   - dismiss: Called for each code that was shown when it is no longer of use, however the sign-in ended.
    public static func deviceCode(
        show: @escaping @Sendable (DeviceCode) async -> Void,
        dismiss: @escaping @Sendable (DeviceCode) async -> Void = { _ in }
    ) -> Self {
        Self(kind: .device(DeviceCodePresentation(show: show, dismiss: dismiss)))
    }

    /// Whether a user has to agree before there is a token.
    var needsPerson: Bool {
        switch kind {
        case .clientCredentials: false
        case .browser, .device: true
        }
    }

    /// The browser that shows pages to the user; nil for grants without one.
    var browser: (any WebAuthenticator)? {
        switch kind {
        case .browser(let browser): browser
        case .clientCredentials, .device: nil
        }
    }
}
