import Synchronization

/// A request between its start and the end of its response's body, as a handle for cancelling it.
final class RunningLoad: Sendable {
    private enum State {
        case loading(Task<Void, Never>?)
        case loaded(Result<LoadResponse, LoadError>)
        case streaming(WeakBody)
        case over
        case cancelled(LoadError)
    }

    /// The index of the request in the gate.
    let place: Int
    /// The epoch of the chain when the request started.
    let epoch: Epoch
    private let state = Mutex(State.loading(nil))

    init(place: Int, epoch: Epoch) {
        self.place = place
        self.epoch = epoch
    }

    /// Records the task that runs the request.
    ///
    /// - Parameter task: The task, which calls ``end(with:)`` at its end.
    /// - Returns: Whether to wait for the task; false if it has already ended.
    func began(_ task: Task<Void, Never>) -> Bool {
        let (isUnderWay, isCancelled) = state.withLock { state in
            switch state {
            case .loading:
                state = .loading(task)
                return (true, false)
            case .cancelled:
                return (true, true)
            case .loaded, .streaming, .over:
                return (false, false)
            }
        }
        if isCancelled { task.cancel() }
        return isUnderWay
    }

    /// Records the result of the loaders; drops a result that arrives after a cancellation.
    func end(with result: Result<LoadResponse, LoadError>) {
        let cancellation = state.withLock { state -> LoadError? in
            if case .cancelled(let error) = state { return error }
            state = .loaded(result)
            return nil
        }
        if let cancellation, case .success(let response) = result { response.body.cancel(cancellation) }
    }

    /// Returns the result of the request to its caller. From now on, the request lasts as long as its body.
    func outcome(for request: LoadRequest) -> Result<LoadResponse, LoadError> {
        state.withLock { state in
            switch state {
            case .loaded(let result):
                if case .success(let response) = result, !response.body.hasEnded {
                    state = .streaming(WeakBody(response.body))
                } else {
                    state = .over
                }
                return result
            case .cancelled(let error):
                return .failure(LoadError(.cancelled, for: request, explanation: error.explanation))
            case .loading, .streaming, .over:
                return .failure(LoadError(.cancelled, for: request, explanation: "the request has not finished"))
            }
        }
    }

    func cancel(_ error: LoadError) {
        let former = state.withLock { state in
            defer {
                switch state {
                case .loading, .loaded, .streaming: state = .cancelled(error)
                case .over, .cancelled: break
                }
            }
            return state
        }
        switch former {
        case .loading(let task): task?.cancel()
        case .loaded(.success(let response)): response.body.cancel(error)
        case .streaming(let body): body.value?.cancel(error)
        case .loaded, .over, .cancelled: break
        }
    }
}

/// A body that only its reader keeps alive.
private struct WeakBody: Sendable {
    weak let value: ResponseBody?

    init(_ value: ResponseBody) {
        self.value = value
    }
}
