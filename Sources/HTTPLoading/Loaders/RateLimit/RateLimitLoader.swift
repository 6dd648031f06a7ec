import AuthHubPrimitives
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Limits how many requests begin in a time: by a rate of its own, and by what servers say in their responses.
///
/// ```swift
/// RateLimitLoader(Rate(10, per: .seconds(1), burst: 20), per: .origin)
/// ```
///
/// A response that says that the quota is used up (`RateLimit`, `X-RateLimit-Remaining` and their like), or when to come again
/// (`Retry-After` of a status 403, 429 or 503), pauses its key until then, at most for ``maximumPause``. The response itself is handed on:
/// loading again is a matter of retrying. An answer to a load from before a reset pauses nothing.
///
/// A request whose turn is farther away than ``maximumWait``, or than the time its load has, is not sent: it ends in ``LoadError`` with
/// `.rateLimited` at once. Where too many wait it ends in `.queueFull`.
///
/// One loader belongs to one chain.
public final class RateLimitLoader: Loader {
    private struct State {
        var lanes: RateLanes
        var epoch = Epoch()
    }

    /// How long a request waits for its turn, in all.
    public let maximumWait: Duration
    /// How long a server can pause a key with one response, whatever it says.
    public let maximumPause: Duration
    private let scope: LimitScope
    private let wallClock: @Sendable () -> Int64
    private let state: Mutex<State>

    /// - Parameters:
    ///   - rate: The loader's own, for each key; nil leaves it to the servers.
    ///   - scope: What is counted together, where a request has no ``RateLimitKey``.
    ///   - maximumWait: Without it, a minute.
    ///   - maximumPause: Without it, an hour.
    ///   - queueLimit: How many may wait for one key; 1,000 without it.
    ///   - keyLimit: How many keys are remembered; 1,000 without it. Beyond it the key is forgotten that nobody waits for and whose pause ends first.
    ///   - now: The time of day, for servers that name a time in place of a delay.
    public init(
        _ rate: Rate? = nil,
        per scope: LimitScope = .origin,
        maximumWait: Duration = .seconds(60),
        maximumPause: Duration = .seconds(3600),
        queueLimit: Int = 1_000,
        keyLimit: Int = 1_000,
        now: @escaping @Sendable () -> Date = { .now }
    ) {
        self.maximumWait = maximumWait.clamped
        self.maximumPause = maximumPause.clamped
        self.scope = scope
        wallClock = { now().secondsSince1970 }
        state = Mutex(State(lanes: RateLanes(rate: rate, queueLimit: queueLimit, keyLimit: keyLimit)))
    }

    public var place: LoaderPlace? { .rateLimit }

    public func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        let key = scope.key(of: request, named: request.options[RateLimitKey.self])
        let waiting = try await turn(of: request, key: key, next: next)
        var response = try await next(request)
        response.notes.timings.waiting += waiting
        if let pause = ServerPause(response.head, longest: maximumPause, wallClock: wallClock) {
            let now = next.clock.now
            state.withLock { state in
                guard next.epoch >= state.epoch else { return }
                state.lanes.pause(key, until: now + pause.duration, at: now)
            }
        }
        return response
    }

    /// Forgets what servers said; what was used of the loader's own rate stays used.
    public func reset(_ context: ResetContext) async throws {
        guard context.phase == .forget else { return }
        state.withLock { state in
            state.epoch = context.epoch
            state.lanes.forgetPauses()
        }
    }
}

extension RateLimitLoader {
    /// How many keys are remembered.
    var keyCount: Int { state.withLock(\.lanes.keyCount) }

    /// Waits until the request may begin.
    ///
    /// - Returns: How long that was.
    private func turn(of request: LoadRequest, key: LimitKey, next: Next) async throws(LoadError) -> Duration {
        let clock = next.clock
        let start = clock.now
        let latest = next.expiry.map { min($0, start + maximumWait) } ?? start + maximumWait
        while true {
            let now = clock.now
            switch state.withLock({ $0.lanes.reserve(key, at: now, latest: latest) }) {
            case .go: return now - start
            case .wait(let reservation):
                try await sleep(until: reservation, on: clock, request: request)
                if state.withLock({ $0.lanes.redeem(reservation) }) { return clock.now - start }
            case .tooLong(let wait):
                throw LoadError(
                    .rateLimited, for: request,
                    explanation: "the rate limit allows no request for another \(wait.components.seconds + 1) seconds; it was not sent")
            case .full: throw LoadError(.queueFull, for: request, explanation: "too many requests are waiting for the rate limit")
            }
        }
    }

    private func sleep(until reservation: RateLanes.Reservation, on clock: LoadClock, request: LoadRequest) async throws(LoadError) {
        do throws(CancellationError) {
            try await clock.sleep(until: reservation.due)
        } catch {
            state.withLock { $0.lanes.giveBack(reservation) }
            throw LoadError(.cancelled, for: request)
        }
    }
}
