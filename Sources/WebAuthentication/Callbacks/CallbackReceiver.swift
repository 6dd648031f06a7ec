/// Where the callbacks of one sign-in arrive, from before its page is shown until it is concluded.
protocol CallbackReceiver: Sendable {
    /// The redirect URI to put into the authorization request.
    var redirectURI: String { get }

    /// What can carry an answer here.
    var carriers: Set<CallbackCarrier> { get }

    /// What has arrived so far and was not accepted.
    var ignored: IgnoredCallbacks { get }

    /// Whether only the browser of this sign-in can reach the receiver: no stranger sent what arrives there.
    var isPrivate: Bool { get }

    /// Takes the first callback that is expected; others are answered as strangers, and waiting goes on. Called at most once.
    ///
    /// - Parameters:
    ///   - carrier: One of ``carriers``; what comes by another is a stranger's.
    ///   - expects: Whether a callback belongs to the sign-in.
    ///   - take: Gets the callback, at most once; false where the sign-in has ended otherwise.
    ///   - ignore: Called after ``ignored`` has grown.
    func expect(
        by carrier: CallbackCarrier, _ expects: @escaping @Sendable (CallbackURL) -> Bool,
        take: @escaping @Sendable (CallbackURL) -> Bool, ignore: @escaping @Sendable () -> Void)

    /// Tells whoever brought the callback how it ended. Only the first conclusion counts.
    func conclude(_ page: CallbackPage) async

    /// Lets go of everything; when it returns, nothing is left.
    func close() async

    /// Lets go of everything without waiting.
    func abandon()
}

extension CallbackReceiver {
    var ignored: IgnoredCallbacks { IgnoredCallbacks() }

    var isPrivate: Bool { false }
}
