import AuthHubPrimitives

extension Chain {
    /// Runs work that sends requests through this chain. Returns when the time is up or the caller is cancelled, even if the work ignores
    /// cancellation.
    ///
    /// - Throws: ``LoadError`` with `.timedOut` or `.cancelled`, or the error of the work.
    package func within<Value: Sendable>(
        _ limit: Duration, for request: LoadRequest, _ work: @escaping @Sendable () async throws(LoadError) -> Value
    ) async throws(LoadError) -> Value {
        let outcome = Waiter<Result<Value, LoadError>>()
        let task = Task {
            do throws(LoadError) {
                outcome.settle(.success(try await work()))
            } catch {
                outcome.settle(.failure(error))
            }
        }
        let expired = LoadError(.timedOut, for: request, explanation: "the request did not finish within \(limit.inWords)")
        let key = links.timer.at(links.clock.now + limit, graceIfLate: LoadTimer.grace) { outcome.settle(.failure(expired)) }
        defer {
            links.timer.cancel(key)
            task.cancel()
        }
        return try await outcome.wait(orIfCancelled: .failure(LoadError(.cancelled, for: request))).get()
    }
}
