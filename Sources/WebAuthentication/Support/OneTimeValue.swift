import Synchronization

/// A value that is settled once, by the first caller, and awaited by any number of tasks.
final class OneTimeValue<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case open([CheckedContinuation<Value, Never>])
        case settled(Value)
    }

    private let state = Mutex(State.open([]))

    /// Settles the value.
    ///
    /// - Returns: Whether this value was the first.
    @discardableResult
    func settle(_ value: Value) -> Bool {
        let waiting: [CheckedContinuation<Value, Never>]? = state.withLock { state in
            guard case .open(let waiting) = state else { return nil }
            state = .settled(value)
            return waiting
        }
        waiting?.forEach { $0.resume(returning: value) }
        return waiting != nil
    }

    /// Waits until the value is settled. Cancelling the waiting task has no effect.
    var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                let settled: Value? = state.withLock { state in
                    switch state {
                    case .settled(let value): return value
                    case .open(let waiting):
                        state = .open(waiting + [continuation])
                        return nil
                    }
                }
                if let settled { continuation.resume(returning: settled) }
            }
        }
    }
}
