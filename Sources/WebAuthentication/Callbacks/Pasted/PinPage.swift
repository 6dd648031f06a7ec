/// The provider's page that shows what is to be pasted: nothing ever arrives by itself.
struct PinPage: CallbackReceiver {
    let redirectURI: String

    var carriers: Set<CallbackCarrier> { [.query, .fragment] }

    func expect(
        by carrier: CallbackCarrier, _ expects: @escaping @Sendable (CallbackURL) -> Bool,
        take: @escaping @Sendable (CallbackURL) -> Bool, ignore: @escaping @Sendable () -> Void
    ) {}

    func conclude(_ page: CallbackPage) async {}

    func close() async {}

    func abandon() {}
}
