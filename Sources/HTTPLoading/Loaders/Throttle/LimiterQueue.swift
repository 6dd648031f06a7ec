/// The rules of a ``Limiter``: which callers have a permit, which ones wait, and which is next. This value makes the decisions; the waiting
/// happens elsewhere.
///
/// As long as callers wait for a key, all its permits are in use. A returned permit goes directly to the next caller in line without being
/// counted again, so that no other caller can overtake.
struct LimiterQueue<Caller> {
    enum Admission: Hashable {
        case granted
        case queued(ticket: UInt64)
        case full
    }

    private struct Lane {
        var running = 0
        var lines = LoadPriority.allCases.map { _ in WaitingLine<Caller>() }

        var waiting: Int { lines.reduce(0) { $0 + $1.count } }
        var isIdle: Bool { running == 0 && waiting == 0 }

        mutating func removeFirst() -> Caller? {
            for index in lines.indices.reversed() where !lines[index].isEmpty { return lines[index].removeFirst() }
            return nil
        }
    }

    /// The limit of each key that does not have its own.
    private(set) var limit: Int
    private var ownLimits: [LimitKey: Int] = [:]
    private let queueLimit: Int
    /// The keys with permits or waiting callers.
    private var lanes: [LimitKey: Lane] = [:]
    private var nextTicket: UInt64 = 0

    /// Creates the rules.
    ///
    /// - Parameter limit: The limit; `Int.max` for none.
    init(limit: Int, queueLimit: Int) {
        self.limit = max(0, limit)
        self.queueLimit = max(0, queueLimit)
    }

    /// The number of keys in memory.
    var keyCount: Int { lanes.count }

    func limit(of key: LimitKey) -> Int { ownLimits[key] ?? limit }

    func counts(of key: LimitKey) -> Limiter.Counts {
        lanes[key].map { Limiter.Counts(running: $0.running, waiting: $0.waiting) } ?? Limiter.Counts()
    }

    var counts: Limiter.Counts {
        lanes.keys.reduce(into: Limiter.Counts()) { sum, key in
            let counts = counts(of: key)
            sum.running += counts.running
            sum.waiting += counts.waiting
        }
    }

    mutating func enter(_ key: LimitKey, priority: LoadPriority, caller: @autoclosure () -> Caller) -> Admission {
        let running = lanes[key]?.running ?? 0
        guard running >= limit(of: key) else {
            lanes[key, default: Lane()].running += 1
            return .granted
        }
        guard lanes[key]?.waiting ?? 0 < queueLimit else { return .full }
        defer { nextTicket += 1 }
        lanes[key, default: Lane()].lines[priority.rawValue].append(caller(), ticket: nextTicket)
        return .queued(ticket: nextTicket)
    }

    /// Takes a permit back.
    ///
    /// - Returns: The caller that has it now, if any.
    mutating func leave(_ key: LimitKey) -> Caller? {
        guard lanes[key] != nil else { return nil }
        if lanes[key]?.running ?? 0 <= limit(of: key), let next = lanes[key]?.removeFirst() { return next }
        lanes[key]?.running -= 1
        forgetIfIdle(key)
        return nil
    }

    /// Removes a waiting caller; has no effect if it is no longer waiting.
    mutating func withdraw(ticket: UInt64, from key: LimitKey, priority: LoadPriority) {
        _ = lanes[key]?.lines[priority.rawValue].remove(ticket: ticket)
        forgetIfIdle(key)
    }

    /// Changes the common limit.
    ///
    /// - Returns: The callers that get a permit because of the change.
    mutating func setLimit(_ limit: Int) -> [(key: LimitKey, caller: Caller)] {
        self.limit = max(0, limit)
        return Array(lanes.keys).flatMap { grant($0) }
    }

    /// Changes the limit of a key.
    ///
    /// - Parameter limit: The limit; nil for the common one.
    /// - Returns: The callers that get a permit because of the change.
    mutating func setLimit(_ limit: Int?, of key: LimitKey) -> [(key: LimitKey, caller: Caller)] {
        ownLimits[key] = limit.map { max(0, $0) }
        return grant(key)
    }

    /// Removes waiting callers.
    ///
    /// - Returns: The callers that no longer wait.
    mutating func removeAll(where leaves: (Caller) -> Bool) -> [Caller] {
        var leaving: [Caller] = []
        for key in Array(lanes.keys) {
            for priority in LoadPriority.allCases {
                leaving += lanes[key]?.lines[priority.rawValue].removeAll(where: leaves) ?? []
            }
            forgetIfIdle(key)
        }
        return leaving
    }

    private mutating func grant(_ key: LimitKey) -> [(key: LimitKey, caller: Caller)] {
        var granted: [(key: LimitKey, caller: Caller)] = []
        while lanes[key]?.running ?? 0 < limit(of: key), let caller = lanes[key]?.removeFirst() {
            lanes[key]?.running += 1
            granted.append((key, caller))
        }
        return granted
    }

    private mutating func forgetIfIdle(_ key: LimitKey) {
        if lanes[key]?.isIdle == true { lanes[key] = nil }
    }
}
