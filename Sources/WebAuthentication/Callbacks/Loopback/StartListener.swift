import Synchronization

/// A listener that redirects the browser to the page of a sign-in without a loopback callback; it does not receive callbacks itself.
final class StartListener: Sendable {
    private enum State: Sendable {
        case unused
        case open(LoopbackListener)
        case closed
    }

    private let clock: any Clock<Duration>
    private let state = Mutex(State.unused)

    init(clock: any Clock<Duration>) {
        self.clock = clock
    }

    var ignored: IgnoredCallbacks {
        if case .open(let listener) = state.withLock({ $0 }) { listener.ignored } else { IgnoredCallbacks() }
    }

    /// Returns a URL that works once. The first call binds a port, which is held until ``close()``.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotShow` if no port can be bound, and with `.cancelledByProgram` after ``close()``.
    func address(leadingTo page: ShownURL) async throws(WebAuthenticationError) -> String {
        if case .open(let listener) = state.withLock({ $0 }) { return listener.start(leadingTo: page) }
        let listener: LoopbackListener
        do {
            listener = try await LoopbackListener.bind(port: 0, path: "/", clock: clock)
        } catch {
            throw WebAuthenticationError(.cannotShow, error.explanation, underlying: error)
        }
        let isWanted = state.withLock { state in
            guard case .unused = state else { return false }
            state = .open(listener)
            return true
        }
        guard isWanted else {
            await listener.close()
            throw WebAuthenticationError(.cancelledByProgram)
        }
        return listener.start(leadingTo: page)
    }

    func close() async {
        let last = state.withLock { state in
            defer { state = .closed }
            return state
        }
        if case .open(let listener) = last { await listener.close() }
    }
}
