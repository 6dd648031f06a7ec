import Synchronization

/// A suspended caller that is resumed once, with the first value that arrives. A cancelled caller returns immediately.
final class Waiter<Value: Sendable>: Sendable {
    private enum State {
        case new
        case waiting(CheckedContinuation<Value, Never>)
        case settled(Value)
        case gone
    }

    private let state = Mutex(State.new)

    /// Waits for the value. Only one caller may wait.
    ///
    /// - Parameter cancelled: The result if the caller's task is cancelled first.
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

    /// Sets the value, if it has none yet.
    ///
    /// - Returns: Whether the caller gets this value; false if it already has another one.
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
