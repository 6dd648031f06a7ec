import AuthHubPrimitives
import HTTPTypes
public import Platform
import Synchronization

/// A loader that retries requests after failures that may be temporary. A ``RetryPolicy`` determines which failures these are. A
/// ``RetryBudget`` limits the retries of all requests together.
///
/// Each attempt starts at the original URL of the request and passes through the loaders after this one again. If the pause before the next
/// attempt would exceed the time limit of the request, the loader does not wait and returns the result of the last attempt.
public final class RetryLoader: Loader {
    private let policy: RetryPolicy
    private let budget: RetryBudget
    private let balance: Mutex<RetryBalance>
    private let wallClock: @Sendable () -> Int64

    /// Creates a loader.
    ///
    /// - Parameters:
    ///   - policy: The policy of requests that do not set their own.
    ///   - budget: The limit on the retries of all requests together.
    ///   - now: The current date, for a `Retry-After` date in a response without a `Date` field.
    public init(
        _ policy: RetryPolicy = RetryPolicy(), budget: RetryBudget = RetryBudget(), now: @escaping @Sendable () -> Date = { .now }
    ) {
        self.policy = policy
        self.budget = budget
        balance = Mutex(RetryBalance(budget))
        wallClock = { now().secondsSince1970 }
    }

    /// The position of the loader: ``LoaderPosition/retry``.
    public var position: LoaderPosition? { .retry }

    /// Sends the request, and retries it as far as the policy, the budget and the time limit of the request allow.
    public func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        var request = request
        request.options[IdempotencyKey.self]?.apply(to: &request.head)
        let start = next.clock.now
        balance.withLock { $0.deposit(at: start) }
        var schedule = RetrySchedule(
            request.options[RetryPolicy.self] ?? policy, using: SystemRandomNumberGenerator(), wallClock: wallClock)
        var notes = ResponseNotes()
        var wasSent = false
        while true {
            let result = await next.attempting(notes.attempts).outcome(of: request).mapError { wasSent ? $0.afterSending() : $0 }
            wasSent = wasSent || result.mayHaveBeenSent
            let now = next.clock.now
            let finished = FinishedAttempt(
                request: request, outcome: result.map(\.head), number: notes.attempts, elapsed: now - start)
            guard case .after(let pause) = schedule.decide(after: finished), next.expiry.map({ now + pause < $0 }) ?? true,
                Task.isCancelled || balance.withLock({ $0.withdraw(at: now) })
            else {
                var response = try result.get()
                response.notes = merged(notes, with: response.notes)
                return response
            }
            // A cancelled request is not retried, whatever error the last attempt reported.
            try checkCancellation(of: request, after: result)
            if case .success(let response) = result {
                notes = merged(notes, with: response.notes)
                await response.body.drain()
            }
            try await sleep(until: now + pause, for: request, clock: next.clock)
            notes.timings.pausing += next.clock.now - now
            notes.attempts += 1
        }
    }

    /// Restores the full budget after all earlier requests have ended.
    public func reset(_ context: ResetContext) async throws {
        guard context.phase == .cleanUp else { return }
        balance.withLock { $0 = RetryBalance(budget) }
    }
}

extension RetryLoader {
    private func merged(_ earlier: ResponseNotes, with notes: ResponseNotes) -> ResponseNotes {
        var merged = notes
        merged.add(earlier)
        merged.attempts = earlier.attempts
        return merged
    }

    private func checkCancellation(of request: LoadRequest, after result: Result<LoadResponse, LoadError>) throws(LoadError) {
        guard Task.isCancelled else { return }
        if case .success(let response) = result { response.body.cancel() }
        throw LoadError(.cancelled, for: request)
    }

    private func sleep(until instant: LoadClock.Instant, for request: LoadRequest, clock: LoadClock) async throws(LoadError) {
        guard !Task.isCancelled else { throw LoadError(.cancelled, for: request) }
        guard instant > clock.now else { return }
        do {
            try await clock.sleep(until: instant)
        } catch {
            throw LoadError(.cancelled, for: request, explanation: "the task was cancelled while it waited for the next attempt")
        }
    }
}

extension Result<LoadResponse, LoadError> {
    /// Whether a server may have acted on the attempt: a server that responded has received the request.
    fileprivate var mayHaveBeenSent: Bool {
        switch self {
        case .success: true
        case .failure(let error): error.mayHaveBeenSent
        }
    }
}
