import AuthHubPrimitives

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension OAuthSession {
    /// Finishes a sign-in whose callback was delivered to the program itself, even if the process that showed the page no longer exists.
    ///
    /// While a sign-in is in progress, the store has a record of it, encrypted if the store encrypts, which can be used once. This session
    /// validates the callback like one from its own page, exchanges the code and stores the tokens; callers that wait for a token get it.
    /// The system delivers callbacks to a custom scheme or an https link to a program that was restarted. A callback to a loopback address
    /// (RFC 8252 §7.3) finds no listener after a restart: for these, this helps only if the program has obtained the URL in another way.
    ///
    /// If the task is cancelled, the requests to the server are finished nevertheless.
    ///
    /// - Parameter callback: The whole URL, unchanged.
    /// - Throws: ``SessionError``. `.securityCheckFailed` if no sign-in of this account waits for the callback, because it is forged, was
    ///   used already, or belongs to another account; nothing has changed, and sign-ins continue to wait. `.timedOut` if it arrived after
    ///   the sign-in had timed out. Otherwise the errors of ``signIn()``.
    public func finishSignIn(with callback: String) async throws(SessionError) {
        try await engine.finishSignIn(Secret(callback)).get()
    }

    /// Finishes a sign-in whose callback was delivered to the program itself, as ``finishSignIn(with:)-(String)`` does.
    public func finishSignIn(with callback: URL) async throws(SessionError) {
        try await finishSignIn(with: callback.absoluteString)
    }
}
