/// The rules of a ``DeduplicateLoader``: which loads are under way, and who waits for each. A value that does not wait by itself.
///
/// A load that nobody waits for is forgotten at once, so that who comes then begins a new one.
struct SharedLoads<Caller> {
    /// A place among those who wait for a load.
    struct Ticket: Sendable, Hashable {
        let key: SharingKey
        fileprivate let load: UInt64
        fileprivate let number: UInt64
    }

    enum Entry {
        /// The caller has to begin the load.
        case first(Ticket)
        case joined(Ticket)
        /// Too many wait already.
        case full
    }

    private struct Load {
        let number: UInt64
        var task: Task<Void, Never>?
        var callers = WaitingLine<Caller>()
    }

    private let callerLimit: Int
    private var loads: [SharingKey: Load] = [:]
    private var nextNumber: UInt64 = 0

    /// - Parameter callerLimit: How many may wait for one load.
    init(callerLimit: Int) {
        self.callerLimit = max(1, callerLimit)
    }

    var count: Int { loads.count }
    var callerCount: Int { loads.values.reduce(0) { $0 + $1.callers.count } }

    mutating func enter(_ key: SharingKey, caller: Caller) -> Entry {
        defer { nextNumber += 1 }
        if let load = loads[key] {
            guard load.callers.count < callerLimit else { return .full }
            loads[key]?.callers.append(caller, ticket: nextNumber)
            return .joined(Ticket(key: key, load: load.number, number: nextNumber))
        }
        var load = Load(number: nextNumber)
        load.callers.append(caller, ticket: nextNumber)
        loads[key] = load
        return .first(Ticket(key: key, load: nextNumber, number: nextNumber))
    }

    mutating func began(_ ticket: Ticket, as task: Task<Void, Never>) {
        if loads[ticket.key]?.number == ticket.load { loads[ticket.key]?.task = task }
    }

    /// Lets one of them go.
    ///
    /// - Returns: What is to be cancelled, where it was the last.
    mutating func leave(_ ticket: Ticket) -> Task<Void, Never>? {
        guard loads[ticket.key]?.number == ticket.load else { return nil }
        _ = loads[ticket.key]?.callers.remove(ticket: ticket.number)
        guard let load = loads[ticket.key], load.callers.isEmpty else { return nil }
        loads[ticket.key] = nil
        return load.task
    }

    /// Forgets a load that has ended.
    ///
    /// - Parameter ticket: Of anybody who waited for it.
    /// - Returns: Who waits for it, in the order in which they came.
    mutating func finish(_ ticket: Ticket) -> [Caller] {
        guard let load = loads[ticket.key], load.number == ticket.load else { return [] }
        loads[ticket.key] = nil
        return load.callers.members
    }

    /// The same, unless several wait for it.
    mutating func finishUnlessShared(_ ticket: Ticket) -> [Caller]? {
        if let load = loads[ticket.key], load.number == ticket.load, load.callers.count > 1 { return nil }
        return finish(ticket)
    }

    /// Forgets what a chain began before an epoch.
    mutating func removeAll(of chain: ObjectIdentifier, before epoch: Epoch) -> [(task: Task<Void, Never>?, callers: [Caller])] {
        let old = loads.filter { $0.key.chain == chain && $0.key.epoch < epoch }
        for key in old.keys { loads[key] = nil }
        return old.values.map { ($0.task, $0.callers.members) }
    }
}
