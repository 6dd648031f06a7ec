import Synchronization

/// A number that many tasks increment and decrement.
final class Counter: Sendable {
    private let state = Mutex((now: 0, most: 0))

    /// - Returns: The new number.
    @discardableResult
    func add(_ number: Int = 1) -> Int {
        state.withLock { state in
            state.now += number
            state.most = max(state.most, state.now)
            return state.now
        }
    }

    var value: Int { state.withLock { $0.now } }
    var most: Int { state.withLock { $0.most } }
}
