import Synchronization

/// A load between its beginning and the end of its response's body, as a handle for cancelling it.
final class RunningLoad: Sendable {
    private enum State {
        case loading(Task<Result<LoadResponse, LoadError>, Never>?)
        case streaming(WeakBody)
        case cancelled(LoadError)
    }

    private let state = Mutex(State.loading(nil))

    /// The error that cancelled it, if any.
    var cancellation: LoadError? {
        state.withLock { if case .cancelled(let error) = $0 { error } else { nil } }
    }

    func began(_ task: Task<Result<LoadResponse, LoadError>, Never>) {
        let isCancelled = state.withLock { state in
            guard case .loading = state else { return true }
            state = .loading(task)
            return false
        }
        if isCancelled { task.cancel() }
    }

    /// - Throws: the error that cancelled the load meanwhile.
    func streams(_ body: ResponseBody) throws(LoadError) {
        let cancellation: LoadError? = state.withLock { state in
            if case .cancelled(let error) = state { return error }
            state = .streaming(WeakBody(body))
            return nil
        }
        guard let cancellation else { return }
        body.cancel(cancellation)
        throw cancellation
    }

    func cancel(_ error: LoadError) {
        let former = state.withLock { state in
            defer { if case .cancelled = state {} else { state = .cancelled(error) } }
            return state
        }
        switch former {
        case .loading(let task): task?.cancel()
        case .streaming(let body): body.value?.cancel(error)
        case .cancelled: break
        }
    }
}

/// A body that is kept by its reader alone.
private struct WeakBody: Sendable {
    weak let value: ResponseBody?

    init(_ value: ResponseBody) {
        self.value = value
    }
}
