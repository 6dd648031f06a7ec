/// A receiver for the callbacks of one sign-in, from before its page is shown until it is concluded.
protocol CallbackReceiver: Sendable {
    /// The redirect URI for the authorization request.
    var redirectURI: String { get }

    /// The response modes that this receiver supports.
    var responseModes: Set<CallbackResponseMode> { get }

    /// The callbacks that have arrived so far and were not accepted.
    var ignored: IgnoredCallbacks { get }

    /// Whether only the browser of this sign-in can reach the receiver, so that no stranger can send a callback.
    var isPrivate: Bool { get }

    /// Waits for the first expected callback and passes it to `take`; others get an error page, and waiting continues. Called at most once.
    ///
    /// - Parameters:
    ///   - responseMode: One of ``responseModes``; callbacks with another response mode are rejected.
    ///   - expects: Returns whether a callback belongs to the sign-in.
    ///   - take: Called with the callback, at most once; returns false if the sign-in has already ended.
    ///   - ignore: Called after ``ignored`` has changed.
    func expect(
        by responseMode: CallbackResponseMode, _ expects: @escaping @Sendable (CallbackURL) -> Bool,
        take: @escaping @Sendable (CallbackURL) -> Bool, ignore: @escaping @Sendable () -> Void)

    /// Shows the result where the callback came from. Only the first conclusion counts.
    func conclude(_ page: CallbackPage) async

    /// Releases everything, and returns when that is done.
    func close() async

    /// Releases everything without waiting.
    func abandon()
}

extension CallbackReceiver {
    var ignored: IgnoredCallbacks { IgnoredCallbacks() }

    var isPrivate: Bool { false }
}
