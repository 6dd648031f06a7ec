import Synchronization

/// One suspended caller that is woken once, with a value, by whoever comes first; a cancelled one leaves at once.
final class Waiter<Value: Sendable>: Sendable {
    private enum State {
        case new
        case waiting(CheckedContinuation<Value, Never>)
        case settled(Value)
        case gone
    }

    private let state = Mutex(State.new)

    /// Waits for the value. For one caller.
    ///
    /// - Parameter cancelled: What a caller gets whose task is cancelled before anything else.
    func wait(orIfCancelled cancelled: Value) async -> Value {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let settled = state.withLock { state -> Value? in
                    guard case .settled(let value) = state else {
                        state = .waiting(continuation)
                        return nil
                    }
                    state = .gone
                    return value
                }
                if let settled { continuation.resume(returning: settled) }
            }
        } onCancel: {
            settle(cancelled)
        }
    }

    /// - Returns: Whether this is the value the caller gets; false where it has another one already.
    @discardableResult
    func settle(_ value: Value) -> Bool {
        let (isFirst, continuation) = state.withLock { state -> (Bool, CheckedContinuation<Value, Never>?) in
            switch state {
            case .new:
                state = .settled(value)
                return (true, nil)
            case .waiting(let continuation):
                state = .gone
                return (true, continuation)
            case .settled, .gone:
                return (false, nil)
            }
        }
        continuation?.resume(returning: value)
        return isFirst
    }
}
