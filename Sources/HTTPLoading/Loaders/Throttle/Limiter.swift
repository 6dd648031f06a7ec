import Synchronization

/// A limit on the number of permits in use, for each key of a ``LimitScope``. If all permits are in use, further callers wait in line.
///
/// ```swift
/// let limiter = Limiter(limit: 4)
/// let chain = try Chain(transport: transport) { ThrottleLoader(limiter, per: .origin) }
/// limiter.limit = 2       // cancels nothing; two requests have to finish first
/// limiter.limit = 0       // pauses: requests in progress continue, the others wait
/// limiter.limit = nil     // no limit
/// ```
///
/// Several loaders and chains can share a limiter. The limiter forgets a key that has neither permits in use nor waiting callers.
public final class Limiter: Sendable {
    /// The number of callers that have a permit, and the number that wait for one.
    package struct Counts: Sendable, Hashable {
        /// The number of callers that have a permit.
        package var running = 0
        /// The number of callers that wait for a permit.
        package var waiting = 0

        /// Creates counts, for example to compare them in a test.
        package init(running: Int = 0, waiting: Int = 0) {
            self.running = running
            self.waiting = waiting
        }
    }

    private enum Answer: Sendable {
        case granted
        case expired
        case cancelled
        case emptied
    }

    private struct Caller: Sendable {
        let waiter: Waiter<Answer>
        /// The chain whose request waits; nil for a caller without a chain.
        let chain: ObjectIdentifier?
    }

    private let queue: Mutex<LimiterQueue<Caller>>

    /// Creates a limiter.
    ///
    /// - Parameters:
    ///   - limit: The number of permits per key; nil for no limit, 0 for none.
    ///   - queueLimit: The maximum number of callers that wait for one key; 1,000 by default.
    public init(limit: Int? = nil, queueLimit: Int = 1_000) {
        queue = Mutex(LimiterQueue(limit: limit ?? .max, queueLimit: queueLimit))
    }

    /// The number of permits for each key that does not have its own limit; nil for no limit.
    ///
    /// If you raise the limit, callers that are waiting immediately receive the new permits. If you lower it, permits in use stay valid,
    /// and no more are issued until fewer than the limit are in use.
    public var limit: Int? {
        get { queue.withLock { $0.limit.unlessUnlimited } }
        set { grant(queue.withLock { $0.setLimit(newValue ?? .max) }) }
    }

    /// Returns the limit that applies to a key.
    package func limit(of key: LimitKey) -> Int? {
        queue.withLock { $0.limit(of: key).unlessUnlimited }
    }

    /// Sets a separate limit for a key, until ``removeLimit(of:)`` is called.
    ///
    /// - Parameter limit: The limit; nil for no limit.
    package func setLimit(_ limit: Int?, of key: LimitKey) {
        grant(queue.withLock { $0.setLimit(limit ?? .max, of: key) })
    }

    /// Removes the separate limit of a key, so that the common limit applies again.
    package func removeLimit(of key: LimitKey) {
        grant(queue.withLock { $0.setLimit(nil, of: key) })
    }

    /// The current counts over all keys.
    package var counts: Counts { queue.withLock(\.counts) }

    /// Returns the current counts of one key.
    package func counts(of key: LimitKey) -> Counts {
        queue.withLock { $0.counts(of: key) }
    }

    /// Returns a permit, waiting in line if necessary.
    ///
    /// - Throws: ``LoadError`` with `.cancelled`, or with `.queueFull` if too many callers are already waiting.
    package func acquire(_ key: LimitKey = .everything, priority: LoadPriority = .normal) async throws(LoadError) -> Permit {
        try await acquire(key, priority: priority, for: nil, of: nil, expiry: nil, timer: nil)
    }
}

extension Limiter {
    /// The number of keys in memory.
    var keyCount: Int { queue.withLock(\.keyCount) }

    func acquire(
        _ key: LimitKey, priority: LoadPriority, for request: LoadRequest?, of chain: ObjectIdentifier?,
        expiry: LoadClock.Instant?, timer: LoadTimer?
    ) async throws(LoadError) -> Permit {
        guard !Task.isCancelled else { throw LoadError(.cancelled, for: request) }
        let waiter = Waiter<Answer>()
        let admission = queue.withLock { $0.enter(key, priority: priority, caller: Caller(waiter: waiter, chain: chain)) }
        switch admission {
        case .granted: return Permit(of: self, for: key)
        case .full: throw LoadError(.queueFull, for: request, explanation: "too many requests are waiting for a free slot")
        case .queued(let ticket):
            let answer = await waiter.wait(until: expiry, on: timer, orIfExpired: .expired, orIfCancelled: .cancelled)
            if answer == .granted { return Permit(of: self, for: key) }
            queue.withLock { $0.withdraw(ticket: ticket, from: key, priority: priority) }
            throw error(for: answer, request: request)
        }
    }

    /// Cancels all waiting requests of a chain.
    func cancelWaiting(of chain: ObjectIdentifier) {
        let callers = queue.withLock { $0.removeAll { $0.chain == chain } }
        for caller in callers { caller.waiter.settle(.emptied) }
    }

    /// Hands a returned permit to the next caller in line. If that caller has been cancelled, the permit goes to the one after it.
    func takeBack(_ key: LimitKey) {
        while let caller = queue.withLock({ $0.leave(key) }), !caller.waiter.settle(.granted) {}
    }

    private func grant(_ granted: [(key: LimitKey, caller: Caller)]) {
        for (key, caller) in granted where !caller.waiter.settle(.granted) { takeBack(key) }
    }

    private func error(for answer: Answer, request: LoadRequest?) -> LoadError {
        switch answer {
        case .expired:
            LoadError(.timedOut, for: request, explanation: "the request timed out while waiting for a free slot; it was not sent")
        case .emptied: LoadError(.cancelled, for: request, explanation: "the chain was reset")
        case .granted, .cancelled: LoadError(.cancelled, for: request)
        }
    }
}

extension Int {
    fileprivate var unlessUnlimited: Int? { self == .max ? nil : self }
}
