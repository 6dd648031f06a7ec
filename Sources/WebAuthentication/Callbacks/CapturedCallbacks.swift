import Synchronization

/// The deliverer of a callback, which waits for the result.
protocol CallbackBearer: Sendable {
    /// Shows the page where the callback came from, if possible.
    func answer(_ page: ResultPage)
}

/// A receiver to which a separate browser process delivers the callbacks of one sign-in, because it intercepts them before anyone else can.
final class CapturedCallbacks: CallbackReceiver {
    let address: CallbackAddress
    private let turn = Mutex(CallbackTurn<any CallbackBearer>())
    private let waiting = Mutex(0)
    private let passedOver = Mutex(IgnoredCallbacks())
    private let expectedResponseMode = Mutex(CallbackResponseMode.query)
    private let timer = Mutex<Task<Void, Never>?>(nil)
    private let clock: any Clock<Duration>

    /// How long bearers wait for ``conclude(_:)`` before they get a page that leaves the result open.
    static let conclusionTime = Duration.seconds(60)
    /// The maximum number of bearers of the same callback that wait for its conclusion.
    static let maximumWaiting = 32

    init(address: CallbackAddress, clock: any Clock<Duration>) {
        self.address = address
        self.clock = clock
    }

    var redirectURI: String { address.redirectURI }

    var ignored: IgnoredCallbacks { passedOver.withLock { $0 } }

    var isPrivate: Bool { true }

    var responseModes: Set<CallbackResponseMode> { address.isHTTPS ? [.query, .fragment, .form] : [.query, .fragment] }

    /// The response mode of the response; the query until a callback is expected.
    var responseMode: CallbackResponseMode { expectedResponseMode.withLock { $0 } }

    func expect(
        by responseMode: CallbackResponseMode, _ expects: @escaping @Sendable (CallbackURL) -> Bool,
        take: @escaping @Sendable (CallbackURL) -> Bool, ignore: @escaping @Sendable () -> Void
    ) {
        expectedResponseMode.withLock { $0 = responseMode }
        turn.withLock {
            $0.expect(.init(expects: expects, take: take, ignore: ignore).limited { [self] in limitWaiting() })
        }
    }

    /// Handles a callback to the redirect URI.
    func arrived(_ callback: CallbackURL, from bearer: any CallbackBearer) {
        guard waiting.withLock({ $0 }) < Self.maximumWaiting else { return bearer.answer(.ended) }
        perform(turn.withLock { $0.arrived(callback, from: bearer) }, callback, bearer)
    }

    func conclude(_ page: CallbackPage) async {
        answer(ResultPage(page))
    }

    func close() async {
        abandon()
    }

    func abandon() {
        timer.withLock { $0?.cancel() }
        turn.withLock { $0.end() }
    }

    private func perform(_ action: CallbackTurn<any CallbackBearer>.Action, _ callback: CallbackURL, _ bearer: any CallbackBearer) {
        switch action {
        case .wait: waiting.withLock { $0 += 1 }
        case .answer(let page): bearer.answer(page)
        case .ask(let expectation):
            guard expectation.expects(callback) else {
                passedOver.withLock { $0.foreignResponses += 1 }
                bearer.answer(.notExpected)
                return expectation.ignore()
            }
            perform(turn.withLock { $0.accept(callback, from: bearer) }, callback, bearer)
        case .take(let expectation):
            if !expectation.take(callback) { bearer.answer(.ended) }
        }
    }

    private func answer(_ page: ResultPage) {
        timer.withLock { $0?.cancel() }
        turn.withLock { $0.conclude(page) }?.forEach { $0.answer(page) }
    }

    private func limitWaiting() {
        timer.withLock { timer in
            timer?.cancel()
            timer = Task { [clock, weak self] in
                guard (try? await clock.sleep(for: Self.conclusionTime)) != nil else { return }
                self?.answer(.undecided)
            }
        }
    }
}
