import AuthHubPrimitives

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension OAuthSession {
    /// Finishes a sign-in whose callback came to the program itself, also where the process that showed the page was killed meanwhile.
    ///
    /// A sign-in that is under way is kept in the store, encrypted where the store encrypts, for as long as it may take, and is used
    /// once. This session judges the callback as its own page's would be, exchanges the code, and stores the tokens; who waits for a
    /// token gets it. Callbacks to a custom scheme or an https link come back to a program that was started anew. One to a loopback
    /// address (RFC 8252 §7.3) finds nobody at its port after a restart: it helps only where the program has got hold of its URL.
    ///
    /// What is under way is finished also where the task is cancelled: it takes as long as the requests to the server may.
    ///
    /// - Parameter callback: The whole URL, as it came.
    /// - Throws: ``SessionError``. With `.securityCheckFailed` where no sign-in of this account waits for the callback, because it is
    ///   forged, was used already, or is someone else's: then nothing has changed, and sign-ins that wait go on waiting. With
    ///   `.timedOut` where it came after the sign-in's time; with the codes of ``signIn()`` for the rest.
    public func finishSignIn(with callback: String) async throws(SessionError) {
        try await engine.finishSignIn(Secret(callback)).get()
    }

    /// Finishes a sign-in whose callback came to the program itself: ``finishSignIn(with:)-(String)``.
    public func finishSignIn(with callback: URL) async throws(SessionError) {
        try await finishSignIn(with: callback.absoluteString)
    }
}
