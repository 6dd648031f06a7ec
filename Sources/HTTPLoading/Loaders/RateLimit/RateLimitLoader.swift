import AuthHubPrimitives
public import Platform
import Synchronization

/// A loader that limits the rate at which requests start. It applies its own rate and the limits that servers report in their responses.
///
/// ```swift
/// RateLimitLoader(Rate(10, per: .seconds(1), burst: 20), per: .origin)
/// ```
///
/// A response can say that the quota is used up (`RateLimit`, `X-RateLimit-Remaining` and similar fields), or when to retry (`Retry-After`
/// with status 403, 429 or 503). The loader then pauses the key of the request until that time, but at most for `maximumPause`. It still
/// returns the response; only the retry loader retries. The response to a request from before a reset does not pause anything.
///
/// If a request would have to wait longer than `maximumWait`, or longer than its time limit allows, it is not sent and immediately fails
/// with ``LoadError`` and `.rateLimited`. If too many requests are already waiting, it fails with `.queueFull`.
///
/// Use a loader in a single chain only.
public final class RateLimitLoader: Loader {
    private struct State {
        var lanes: RateLanes
        var epoch = Epoch()
    }

    /// The maximum time that a request waits for its turn.
    package let maximumWait: Duration
    /// The maximum time that a server can pause a key with one response.
    package let maximumPause: Duration
    private let scope: LimitScope
    private let wallClock: @Sendable () -> Int64
    private let state: Mutex<State>

    /// Creates a loader.
    ///
    /// - Parameters:
    ///   - rate: The loader's own rate for each key; if nil, only servers limit the rate.
    ///   - scope: The way requests without a ``RateLimitKey`` are grouped.
    ///   - maximumWait: The maximum time that a request waits; a minute by default.
    ///   - maximumPause: The maximum time that a server can pause a key; an hour by default.
    ///   - queueLimit: The maximum number of requests that wait for one key; 1,000 by default.
    ///   - keyLimit: The maximum number of keys in memory; 1,000 by default. If there are more, the loader forgets the key whose pause ends
    ///     first, among those without waiting requests.
    ///   - now: The current date, for servers that send a date instead of a delay.
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

    /// The position of the loader: ``LoaderPosition/rateLimit``.
    public var position: LoaderPosition? { .rateLimit }

    /// Waits until the request may start, sends it, and pauses its key if the response says so.
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

    /// Clears the limits that servers have reported. The loader's own rate is not reset.
    public func reset(_ context: ResetContext) async throws {
        guard context.phase == .forget else { return }
        state.withLock { state in
            state.epoch = context.epoch
            state.lanes.forgetPauses()
        }
    }
}

extension RateLimitLoader {
    /// The number of keys in memory.
    var keyCount: Int { state.withLock(\.lanes.keyCount) }

    /// Waits until the request may start.
    ///
    /// - Returns: The time spent waiting.
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
                    explanation:
                        "the rate limit allows no request for another \(wait.components.seconds + 1) seconds; the request was not sent")
            case .full:
                throw LoadError(.queueFull, for: request, explanation: "too many requests are already waiting because of the rate limit")
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
