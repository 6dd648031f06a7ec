import Synchronization

/// A load between its beginning and the end of its response's body, as a handle for cancelling it.
final class RunningLoad: Sendable {
    private enum State {
        case loading(Task<Void, Never>?)
        case loaded(Result<LoadResponse, LoadError>)
        case streaming(WeakBody)
        case over
        case cancelled(LoadError)
    }

    /// Where the gate keeps it.
    let place: Int
    /// The chain's when it began.
    let epoch: Epoch
    private let state = Mutex(State.loading(nil))

    init(place: Int, epoch: Epoch) {
        self.place = place
        self.epoch = epoch
    }

    /// - Parameter task: What passes the loaders, and says so with ``end(with:)``.
    /// - Returns: Whether the task is to be waited for; false where it has ended already.
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

    /// Takes what came of the loaders; drops what comes after a cancellation.
    func end(with result: Result<LoadResponse, LoadError>) {
        let cancellation = state.withLock { state -> LoadError? in
            if case .cancelled(let error) = state { return error }
            state = .loaded(result)
            return nil
        }
        if let cancellation, case .success(let response) = result { response.body.cancel(cancellation) }
    }

    /// What came of the load, for the one who asked for it. From here on it lasts as long as its body.
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

/// A body that is kept by its reader alone.
private struct WeakBody: Sendable {
    weak let value: ResponseBody?

    init(_ value: ResponseBody) {
        self.value = value
    }
}
