import Observation
import Synchronization

/// Waits until the models are as the condition wants them, looking again after each change of what it read; or the test is cancelled.
@MainActor
func until(_ condition: @MainActor () -> Bool) async {
    while !Task.isCancelled {
        let change = Change()
        let holds = withObservationTracking(condition) { change.happened() }
        if holds { return }
        await change.wait()
    }
}

/// Something that happens at most once, and one who waits for it.
private final class Change: Sendable {
    private enum State {
        case waited(CheckedContinuation<Void, Never>)
        case none, happened
    }

    private let state = Mutex(State.none)

    func happened() {
        let former = state.withLock { state in
            defer { state = .happened }
            return state
        }
        if case .waited(let continuation) = former { continuation.resume() }
    }

    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let didHappen = state.withLock { state in
                    if case .happened = state { return true }
                    state = .waited(continuation)
                    return false
                }
                if didHappen { continuation.resume() }
            }
        } onCancel: {
            happened()
        }
    }
}
