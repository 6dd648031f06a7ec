import AuthHubPrimitives
import HTTPTypes
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Loads again what failed and may do better, as a ``RetryPolicy`` says, within a budget that all its loads share.
///
/// Each attempt begins at the request's first address and is equipped anew by the loaders behind. A pause that would last beyond the
/// load's time limit is not begun: what came is handed on at once, as it is after the last attempt. Bodies of responses in between are
/// dropped.
public final class RetryLoader: Loader {
    private let policy: RetryPolicy
    private let budget: RetryBudget
    private let balance: Mutex<RetryBalance>
    private let wallClock: @Sendable () -> Int64

    /// - Parameters:
    ///   - policy: For requests that do not say otherwise.
    ///   - budget: How many retries all loads may make together.
    ///   - now: The time of day, for dates in `Retry-After` of servers that do not tell it.
    public init(
        _ policy: RetryPolicy = RetryPolicy(), budget: RetryBudget = RetryBudget(), now: @escaping @Sendable () -> Date = { .now }
    ) {
        self.policy = policy
        self.budget = budget
        balance = Mutex(RetryBalance(budget))
        wallClock = { now().secondsSince1970 }
    }

    public var place: LoaderPlace? { .retry }

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
            // Whoever left does not wait for another attempt, whatever the last one made of the cancellation.
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

    /// Makes the budget as new, once the loads that drew on it have ended.
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
    /// Whether a server may have acted on the attempt: one that answered had the request.
    fileprivate var mayHaveBeenSent: Bool {
        switch self {
        case .success: true
        case .failure(let error): error.mayHaveBeenSent
        }
    }
}
