/// The time when a request has to end, and the explanation for the error.
struct TimeLimit: Sendable {
    let expiry: LoadClock.Instant
    /// The explanation for the error, without any part of a message.
    let explanation: String

    /// Sends a request that fails with `.timedOut` at the limit. Reading the response's body fails in the same way, even if the body is not
    /// being read.
    ///
    /// The rest of the chain is cancelled and awaited. If the caller's task is cancelled before the time is over, the error is that of the
    /// rest of the chain.
    func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        guard next.clock.now < expiry else { throw error(for: request) }
        let response = try await raced(request, next: next)
        let timer = next.timer
        let key = timer.at(expiry, graceIfLate: LoadTimer.grace) { [weak body = response.body] in body?.cancel(error(for: request)) }
        response.body.whenEnded { timer.cancel(key) }
        return response
    }

    private enum Event: Sendable {
        case loaded(Result<LoadResponse, LoadError>)
        case ended(isExpired: Bool)
    }

    private func raced(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        let expired = Waiter<Bool>()
        let key = next.timer.at(expiry, graceIfLate: LoadTimer.grace) { expired.settle(true) }
        defer { next.timer.cancel(key) }
        // The first event is the cause, so record a cancellation by the caller at the moment it happens.
        let (result, isExpired) = await withTaskCancellationHandler {
            await race(request, next: next, against: expired)
        } onCancel: {
            expired.settle(false)
        }
        guard isExpired else { return try result.get() }
        switch result {
        case .success(let response):
            response.body.cancel(error(for: request))
            throw error(for: request)
        case .failure(let cause):
            throw error(for: request, underlying: cause.code == .cancelled ? nil : cause)
        }
    }

    private func race(
        _ request: LoadRequest, next: Next, against expired: Waiter<Bool>
    ) async -> (Result<LoadResponse, LoadError>, isExpired: Bool) {
        await withTaskGroup(of: Event.self) { group in
            group.addTask { .loaded(await next.outcome(of: request)) }
            group.addTask { .ended(isExpired: await expired.wait(orIfCancelled: false)) }
            var isExpired = false
            while let event = await group.next() {
                switch event {
                case .loaded(let result):
                    group.cancelAll()
                    return (result, isExpired)
                case .ended(let expired):
                    isExpired = expired
                    group.cancelAll()
                }
            }
            return (.failure(LoadError(.cancelled, for: request)), isExpired)
        }
    }

    private func error(for request: LoadRequest, underlying: LoadError? = nil) -> LoadError {
        LoadError(.timedOut, for: request, explanation: explanation, underlying: underlying)
    }
}
