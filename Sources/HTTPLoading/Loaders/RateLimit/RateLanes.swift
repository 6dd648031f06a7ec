/// The rules of a ``RateLimitLoader``: when the next request for each key may start. This value makes the decisions; the waiting happens
/// elsewhere.
struct RateLanes: Sendable {
    typealias Instant = LoadClock.Instant

    /// A reserved turn in the future.
    struct Reservation: Sendable, Hashable {
        let key: LimitKey
        let due: Instant
        fileprivate let generation: UInt64
    }

    enum Answer: Sendable, Hashable {
        case go
        case wait(Reservation)
        case tooLong(Duration)
        case full
    }

    private struct Lane: Sendable {
        var bucket: TokenBucket?
        var pausedUntil = Instant.zero
        /// A counter that each pause increments. Turns from before a pause have to be reserved again.
        var generation: UInt64 = 0
        var waiting = 0

        func isIdle(at now: Instant) -> Bool {
            waiting == 0 && pausedUntil <= now && bucket?.isFull(at: now) != false
        }
    }

    private let rate: Rate?
    private let queueLimit: Int
    private let keyLimit: Int
    private var lanes: [LimitKey: Lane] = [:]

    init(rate: Rate?, queueLimit: Int, keyLimit: Int) {
        self.rate = rate
        self.queueLimit = max(0, queueLimit)
        self.keyLimit = max(1, keyLimit)
    }

    /// The number of keys in memory.
    var keyCount: Int { lanes.count }

    /// Reserves a turn for a key.
    ///
    /// - Parameter latest: The latest acceptable time for the turn.
    mutating func reserve(_ key: LimitKey, at now: Instant, latest: Instant) -> Answer {
        guard var lane = lanes[key] ?? newLane(at: now) else { return .go }
        let begin = max(now, lane.pausedUntil)
        let due = lane.bucket?.take(at: begin) ?? begin
        guard due <= max(now, latest) else { return .tooLong(due - now) }
        guard lanes[key] != nil || makeRoom(at: now) else { return .full }
        if due > now {
            guard lane.waiting < queueLimit else { return .full }
            lane.waiting += 1
        }
        lanes[key] = lane
        return due > now ? .wait(Reservation(key: key, due: due, generation: lane.generation)) : .go
    }

    /// Uses a turn whose time has come.
    ///
    /// - Returns: Whether the turn is still valid; false if the key has been paused since it was reserved.
    mutating func redeem(_ reservation: Reservation) -> Bool {
        guard let generation = lanes[reservation.key]?.generation else { return true }
        lanes[reservation.key]?.waiting -= 1
        return generation == reservation.generation
    }

    mutating func giveBack(_ reservation: Reservation) {
        if redeem(reservation) { lanes[reservation.key]?.bucket?.putBack() }
    }

    /// Pauses a key until a point in time. An earlier pause that lasts longer remains in effect.
    mutating func pause(_ key: LimitKey, until end: Instant, at now: Instant) {
        guard end > max(now, lanes[key]?.pausedUntil ?? now), lanes[key] != nil || makeRoom(at: now) else { return }
        var lane = lanes[key] ?? newLane(at: now) ?? Lane()
        lane.pausedUntil = end
        lane.generation += 1
        lane.bucket?.putBackAdvances(at: now)
        lanes[key] = lane
    }

    /// Ends all pauses, but keeps what has been used of the loader's own rate.
    mutating func forgetPauses() {
        for key in lanes.keys { lanes[key]?.pausedUntil = .zero }
    }

    private func newLane(at now: Instant) -> Lane? {
        rate.map { Lane(bucket: TokenBucket($0, at: now)) }
    }

    /// Makes room by removing a key if there are too many: idle keys first, then the key without waiting callers whose pause ends first.
    ///
    /// - Returns: false if callers are waiting for every key.
    private mutating func makeRoom(at now: Instant) -> Bool {
        guard lanes.count >= keyLimit else { return true }
        lanes = lanes.filter { !$0.value.isIdle(at: now) }
        guard lanes.count >= keyLimit else { return true }
        let first = lanes.filter { $0.value.waiting == 0 }.min { $0.value.pausedUntil < $1.value.pausedUntil }
        if let first { lanes[first.key] = nil }
        return first != nil
    }
}
