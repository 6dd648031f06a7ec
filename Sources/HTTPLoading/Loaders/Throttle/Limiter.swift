import Synchronization

/// Hands out permits: at most so many at once for each ``LimitKey``. Who comes too late waits in line.
///
/// ```swift
/// let limiter = Limiter(limit: 4)
/// let chain = try Chain(transport: transport) { ThrottleLoader(limiter, per: .origin) }
/// limiter.limit = 2       // cancels nobody; two go first
/// limiter.limit = 0       // pauses: what is under way goes on, the rest waits
/// limiter.limit = nil     // everybody goes
/// ```
///
/// Several loaders and chains may share one. A key without permits and without anybody waiting is forgotten.
public final class Limiter: Sendable {
    /// How many have a permit, and how many wait for one.
    public struct Counts: Sendable, Hashable {
        public var running = 0
        public var waiting = 0

        public init(running: Int = 0, waiting: Int = 0) {
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
        /// Whose load waits; nil for one of no chain.
        let chain: ObjectIdentifier?
    }

    private let queue: Mutex<LimiterQueue<Caller>>

    /// - Parameters:
    ///   - limit: How many permits are out at once for each key; nil for any number, 0 for none.
    ///   - queueLimit: How many may wait for one key; 1,000 without it.
    public init(limit: Int? = nil, queueLimit: Int = 1_000) {
        queue = Mutex(LimiterQueue(limit: limit ?? .max, queueLimit: queueLimit))
    }

    /// How many permits are out at once for each key that has no limit of its own; nil for any number.
    ///
    /// Raising it wakes those it has room for at once. Lowering it takes no permit away: the next are handed out when fewer are out.
    public var limit: Int? {
        get { queue.withLock { $0.limit.unlessUnlimited } }
        set { grant(queue.withLock { $0.setLimit(newValue ?? .max) }) }
    }

    /// The limit that holds for a key.
    public func limit(of key: LimitKey) -> Int? {
        queue.withLock { $0.limit(of: key).unlessUnlimited }
    }

    /// Gives a key a limit of its own, kept until ``removeLimit(of:)``.
    ///
    /// - Parameter limit: nil for any number.
    public func setLimit(_ limit: Int?, of key: LimitKey) {
        grant(queue.withLock { $0.setLimit(limit ?? .max, of: key) })
    }

    /// Puts a key under the limit of all again.
    public func removeLimit(of key: LimitKey) {
        grant(queue.withLock { $0.setLimit(nil, of: key) })
    }

    /// Over all keys, as of now.
    public var counts: Counts { queue.withLock(\.counts) }

    /// Of one key, as of now.
    public func counts(of key: LimitKey) -> Counts {
        queue.withLock { $0.counts(of: key) }
    }

    /// A permit, waiting for it in line where it must.
    ///
    /// - Throws: ``LoadError`` with `.cancelled`, or `.queueFull` where too many wait already.
    public func acquire(_ key: LimitKey = .everything, priority: LoadPriority = .normal) async throws(LoadError) -> Permit {
        try await acquire(key, priority: priority, for: nil, of: nil, expiry: nil, timer: nil)
    }
}

extension Limiter {
    /// How many keys are remembered.
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

    /// Ends the waiting of all loads of a chain.
    func cancelWaiting(of chain: ObjectIdentifier) {
        let callers = queue.withLock { $0.removeAll { $0.chain == chain } }
        for caller in callers { caller.waiter.settle(.emptied) }
    }

    /// Gives a permit to the next in line. Who has been cancelled meanwhile does not take it, and it goes on to the one behind.
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
