/// The provider's page that shows the code to paste; callbacks never arrive.
struct PinPage: CallbackReceiver {
    let redirectURI: String

    var responseModes: Set<CallbackResponseMode> { [.query, .fragment] }

    func expect(
        by responseMode: CallbackResponseMode, _ expects: @escaping @Sendable (CallbackURL) -> Bool,
        take: @escaping @Sendable (CallbackURL) -> Bool, ignore: @escaping @Sendable () -> Void
    ) {}

    func conclude(_ page: CallbackPage) async {}

    func close() async {}

    func abandon() {}
}
