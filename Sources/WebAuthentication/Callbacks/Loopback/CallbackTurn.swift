import AuthHubPrimitives

/// Who brings the one callback, and what every browser that comes with it is told.
///
/// A value: an event in, what to do next out. `Browser` stands for a connection that waits for its page.
struct CallbackTurn<Browser: Sendable>: Sendable {
    /// Says whether a callback belongs to the sign-in, and takes the first one that does.
    struct Expectation: Sendable {
        var expects: @Sendable (CallbackURL) -> Bool
        /// False where the sign-in has ended otherwise meanwhile.
        var take: @Sendable (CallbackURL) -> Bool
        /// Called after something was turned away and counted.
        var ignore: @Sendable () -> Void

        /// The same, which starts a time limit before it takes a callback, because the taker may conclude at once.
        func limited(by start: @escaping @Sendable () -> Void) -> Self {
            var limited = self
            limited.take = { [take] callback in
                start()
                return take(callback)
            }
            return limited
        }
    }

    enum Action: Sendable {
        /// Ask the expectation, and come back with ``accept(_:from:)`` if it says yes.
        case ask(Expectation)
        /// The first expected callback: hand it out.
        case take(Expectation)
        case answer(ResultPage)
        /// The browser waits with the others.
        case wait
    }

    private enum State: Sendable {
        case unasked
        case waiting(Expectation)
        case received(CallbackURL, [Browser])
        case concluded(CallbackURL, ResultPage)
        case ended
    }

    private var state = State.unasked

    /// Whether a callback may still win.
    var isOpen: Bool {
        switch state {
        case .unasked, .waiting: true
        case .received, .concluded, .ended: false
        }
    }

    /// Who waits for a callback; nil before anyone does, and after the first expected one.
    var expectation: Expectation? {
        if case .waiting(let expectation) = state { expectation } else { nil }
    }

    /// From now on callbacks are judged by this expectation.
    mutating func expect(_ expectation: Expectation) {
        guard case .unasked = state else { return }
        state = .waiting(expectation)
    }

    /// A callback came to the redirect URI.
    mutating func arrived(_ callback: CallbackURL, from browser: Browser) -> Action {
        switch state {
        case .unasked: .answer(.notExpected)
        case .waiting(let expectation): .ask(expectation)
        case .received, .concluded, .ended: joined(callback, from: browser)
        }
    }

    /// The expectation said yes; the first to come this far wins.
    mutating func accept(_ callback: CallbackURL, from browser: Browser) -> Action {
        guard case .waiting(let expectation) = state else { return joined(callback, from: browser) }
        state = .received(callback, [browser])
        return .take(expectation)
    }

    /// The program said how it ended.
    ///
    /// - Returns: The browsers to tell, or nil where nothing waits for a conclusion.
    mutating func conclude(_ page: ResultPage) -> [Browser]? {
        guard case .received(let callback, let browsers) = state else { return nil }
        state = .concluded(callback, page)
        return browsers
    }

    /// No callback is wanted any more.
    mutating func end() {
        state = .ended
    }

    /// The same callback again gets the same page (a browser may load a page twice); another one comes too late.
    private mutating func joined(_ callback: CallbackURL, from browser: Browser) -> Action {
        switch state {
        case .received(let first, let browsers) where first.isSame(as: callback):
            state = .received(first, browsers + [browser])
            return .wait
        case .concluded(let first, let page) where first.isSame(as: callback):
            return .answer(page)
        default:
            return .answer(.ended)
        }
    }
}
