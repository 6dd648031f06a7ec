import AuthHubPrimitives

/// The state that decides which callback is accepted, and what every browser that delivers it is shown.
///
/// A value type: events in, actions out. `Browser` stands for a connection that waits for its page.
struct CallbackTurn<Browser: Sendable>: Sendable {
    /// An expectation, which checks whether a callback belongs to the sign-in, and receives the first one that does.
    struct Expectation: Sendable {
        var expects: @Sendable (CallbackURL) -> Bool
        /// Receives the callback; returns false if the sign-in has already ended.
        var take: @Sendable (CallbackURL) -> Bool
        /// Called after a callback was rejected and counted.
        var ignore: @Sendable () -> Void

        /// Returns the same expectation, which starts a time limit before it accepts a callback, because accepting may immediately
        /// conclude the sign-in.
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
        /// Ask the expectation, and call ``accept(_:from:)`` if it matches.
        case ask(Expectation)
        /// The first expected callback: pass it on.
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

    /// Whether a callback may still be accepted.
    var isOpen: Bool {
        switch state {
        case .unasked, .waiting: true
        case .received, .concluded, .ended: false
        }
    }

    /// The expectation that waits for a callback; nil before there is one, and after the first expected callback.
    var expectation: Expectation? {
        if case .waiting(let expectation) = state { expectation } else { nil }
    }

    /// Sets the expectation that checks callbacks from now on.
    mutating func expect(_ expectation: Expectation) {
        guard case .unasked = state else { return }
        state = .waiting(expectation)
    }

    /// Handles a callback to the redirect URI.
    mutating func arrived(_ callback: CallbackURL, from browser: Browser) -> Action {
        switch state {
        case .unasked: .answer(.notExpected)
        case .waiting(let expectation): .ask(expectation)
        case .received, .concluded, .ended: joined(callback, from: browser)
        }
    }

    /// Accepts a callback that matches the expectation; the first one wins.
    mutating func accept(_ callback: CallbackURL, from browser: Browser) -> Action {
        guard case .waiting(let expectation) = state else { return joined(callback, from: browser) }
        state = .received(callback, [browser])
        return .take(expectation)
    }

    /// Concludes the sign-in with the program's result.
    ///
    /// - Returns: The browsers to notify, or nil if none waits for a conclusion.
    mutating func conclude(_ page: ResultPage) -> [Browser]? {
        guard case .received(let callback, let browsers) = state else { return nil }
        state = .concluded(callback, page)
        return browsers
    }

    /// Ends the turn: no callback is expected any more.
    mutating func end() {
        state = .ended
    }

    /// Handles a late callback: the same one again gets the same page (a browser may load a page twice); a different one is too late.
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
