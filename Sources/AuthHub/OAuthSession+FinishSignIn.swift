import AuthHubPrimitives
public import Platform

extension OAuthSession {
    /// Finishes a sign-in whose callback URL was delivered to the program, even if the process that showed the sign-in page has exited.
    ///
    /// While a sign-in is in progress, the store contains a single-use record of the sign-in. The record is encrypted if the store
    /// encrypts. This method validates the callback as if the session's own page had received it, exchanges the code, and stores the
    /// tokens. Callers that are waiting for a token then get it.
    ///
    /// The system delivers a callback to a custom scheme or an https link even if the program was restarted. After a restart, no listener
    /// receives a callback to a loopback address (RFC 8252 §7.3): this method then helps only if the program obtained the URL in another
    /// way.
    ///
    /// If the task is cancelled, the requests to the server are still completed.
    ///
    /// - Parameter callback: The complete callback URL, unchanged.
    /// - Throws: ``SessionError``. `.securityCheckFailed` if no sign-in of this account is waiting for the callback, because the callback
    ///   is forged, was already used, or belongs to another account; nothing changes, and pending sign-ins continue to wait. `.timedOut` if
    ///   the callback arrived after the sign-in had timed out. Otherwise, the errors that ``signIn(_:)`` throws.
    public func finishSignIn(with callback: String) async throws(SessionError) {
        try await engine.finishSignIn(.url(Secret(callback))).get()
    }

    /// Finishes a sign-in whose callback URL was delivered to the program, as ``finishSignIn(with:)-(String)`` does.
    public func finishSignIn(with callback: URL) async throws(SessionError) {
        try await finishSignIn(with: callback.absoluteString)
    }

    /// Finishes a sign-in whose response the browser posted to the program as a form (`response_mode=form_post`), as
    /// ``finishSignIn(with:)-(String)`` does. For programs on a web server: Apple sends its responses this way.
    ///
    /// - Parameters:
    ///   - form: The body of the request, unchanged.
    ///   - url: The URL that the form was posted to: the redirect URI.
    /// - Throws: The errors of ``finishSignIn(with:)-(String)``.
    public func finishSignIn(withForm form: String, postedTo url: String) async throws(SessionError) {
        try await engine.finishSignIn(.form(Secret(form), postedTo: Secret(url))).get()
    }
}
