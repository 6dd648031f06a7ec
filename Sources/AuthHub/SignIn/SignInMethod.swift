public import WebAuthentication

/// How a session comes to tokens when it has none, or none that are good.
public struct SignInMethod: Sendable {
    enum Kind: Sendable {
        case browser(any WebAuthenticator)
        case clientCredentials
        case device(DeviceCodePresentation)
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

    /// A code that the person enters in a browser on any other device, such as their telephone (RFC 8628): for programs on machines without
    /// a browser or a keyboard.
    ///
    /// While the person takes their time, the server is asked now and then. What it issues is stored before anyone gets it, and sessions in
    /// other processes wait, as with a page in a browser. The device code itself is kept in memory alone: a process that is killed meanwhile
    /// loses it, and the next sign-in shows another code.
    ///
    /// ```swift
    /// let method = SignInMethod.device { code in
    ///     await screen.show(code)
    /// } dismiss: { code in
    ///     await screen.remove(code)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - show: Shows a code, with its address, and returns when it is shown. The person cancels by the program cancelling the task
    ///     that waits for the sign-in.
    ///   - dismiss: Told of each code that was shown when it is of no more use, however the sign-in has ended.
    public static func device(
        show: @escaping @Sendable (DeviceCode) async -> Void,
        dismiss: @escaping @Sendable (DeviceCode) async -> Void = { _ in }
    ) -> Self {
        Self(kind: .device(DeviceCodePresentation(show: show, dismiss: dismiss)))
    }

    /// What shows pages to the person, where this method does.
    var browser: (any WebAuthenticator)? {
        switch kind {
        case .browser(let browser): browser
        case .clientCredentials: nil
        case .device: nil
        }
    }
}
