/// The rules of a ``RateLimitLoader``: when the next request of each key may begin. A value that does not wait by itself.
struct RateLanes: Sendable {
    typealias Instant = LoadClock.Instant

    /// A turn that lies ahead.
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
        /// Grows with each pause: turns of an older one have to be asked for anew.
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

    /// How many keys are remembered.
    var keyCount: Int { lanes.count }

    /// - Parameter latest: Nobody waits longer.
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
    /// - Returns: Whether it still stands; false where the key was paused meanwhile.
    mutating func redeem(_ reservation: Reservation) -> Bool {
        guard let generation = lanes[reservation.key]?.generation else { return true }
        lanes[reservation.key]?.waiting -= 1
        return generation == reservation.generation
    }

    mutating func giveBack(_ reservation: Reservation) {
        if redeem(reservation) { lanes[reservation.key]?.bucket?.putBack() }
    }

    /// Lets nothing of a key begin before a point in time. An earlier pause that is longer stands.
    mutating func pause(_ key: LimitKey, until end: Instant, at now: Instant) {
        guard end > max(now, lanes[key]?.pausedUntil ?? now), lanes[key] != nil || makeRoom(at: now) else { return }
        var lane = lanes[key] ?? newLane(at: now) ?? Lane()
        lane.pausedUntil = end
        lane.generation += 1
        lane.bucket?.putBackAdvances(at: now)
        lanes[key] = lane
    }

    /// Forgets all pauses, not what was used of the own rate.
    mutating func forgetPauses() {
        for key in lanes.keys { lanes[key]?.pausedUntil = .zero }
    }

    private func newLane(at now: Instant) -> Lane? {
        rate.map { Lane(bucket: TokenBucket($0, at: now)) }
    }

    /// Forgets a key where there are too many: idle ones first, else the one nobody waits for whose pause ends first.
    ///
    /// - Returns: false where somebody waits for each.
    private mutating func makeRoom(at now: Instant) -> Bool {
        guard lanes.count >= keyLimit else { return true }
        lanes = lanes.filter { !$0.value.isIdle(at: now) }
        guard lanes.count >= keyLimit else { return true }
        let first = lanes.filter { $0.value.waiting == 0 }.min { $0.value.pausedUntil < $1.value.pausedUntil }
        if let first { lanes[first.key] = nil }
        return first != nil
    }
}
