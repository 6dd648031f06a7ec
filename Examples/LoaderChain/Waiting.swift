import HTTPLoading
import HTTPTypes

/// Retries with back-off, throttling and timeouts.
extension ChainExample {
    static func waiting(at servers: Servers) async throws {
        let retrying = try servers.chain(
            RetryLoader(RetryPolicy(maximumAttempts: 4, backoff: .exponential(base: .milliseconds(20)))), AttemptNumberLoader())
        let flaky = try await retrying.load(.get("/flaky"))
        show("retry with back-off", "\(flaky.status.code) after \(flaky.notes.attempts) attempts, \(try await flaky.text())")
        var once = try LoadRequest.get("/flaky")
        once.options[RetryPolicy.self] = .never
        show("option: never retry", "\(try await retrying.load(once).status.code)")

        let throttled = try servers.chain(ThrottleLoader(limit: 2))
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let response = try await throttled.load(.get("/crowded"))
                    _ = try await response.text()
                    return response.status.code
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        show("throttle", "\(statuses.filter { $0 == 200 }.count) of \(statuses.count) loads at a server that takes 2 at once")

        let limited = try servers.chain(DeadlineLoader(.milliseconds(200)))
        show("deadline", await outcome { try await limited.load(.get("/endless")).text() })
    }

    /// Returns the text, or the code of the error.
    static func outcome(_ load: () async throws -> String) async -> String {
        do {
            return try await load()
        } catch let error as LoadError {
            return "\(error.code)"
        } catch {
            return "\(error)"
        }
    }
}

/// A loader that sends the number of the attempt to the server.
private struct AttemptNumberLoader: Loader {
    func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        var request = request
        if let name = HTTPField.Name("X-Attempt") { request.head.headerFields[name] = "\(next.attempt)" }
        return try await next(request)
    }
}
