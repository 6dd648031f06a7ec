import Synchronization

/// A value that is set once, and the tasks that wait for it.
package final class Latch<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var nextID = 0
        var cancelled: Set<Int> = []
        var waiting: [Int: CheckedContinuation<Value?, Never>] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// Waits for the value.
    ///
    /// - Returns: nil if the task is cancelled first.
    package func wait() async -> Value? {
        let id = state.withLock { state in
            defer { state.nextID += 1 }
            return state.nextID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { wait(id, $0) }
        } onCancel: {
            leave(id)
        }
    }

    /// Sets the value for all tasks that wait now or later. A second value is ignored.
    package func open(_ value: Value) {
        let waiting = state.withLock { state in
            guard state.value == nil else { return [Int: CheckedContinuation<Value?, Never>]() }
            state.value = value
            defer { state.waiting = [:] }
            return state.waiting
        }
        for (_, continuation) in waiting.sorted(by: { $0.key < $1.key }) { continuation.resume(returning: value) }
    }

    private func wait(_ id: Int, _ continuation: CheckedContinuation<Value?, Never>) {
        let (isAnswered, answer) = state.withLock { state -> (Bool, Value?) in
            if let value = state.value { return (true, value) }
            guard state.cancelled.remove(id) == nil else { return (true, nil) }
            state.waiting[id] = continuation
            return (false, nil)
        }
        if isAnswered { continuation.resume(returning: answer) }
    }

    private func leave(_ id: Int) {
        let continuation = state.withLock { state in
            let continuation = state.waiting.removeValue(forKey: id)
            if continuation == nil { state.cancelled.insert(id) }
            return continuation
        }
        continuation?.resume(returning: nil)
    }
}
