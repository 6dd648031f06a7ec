/// The rules of a ``DeduplicateLoader``: which requests are in progress, and who waits for each. This value makes the decisions; the
/// waiting happens elsewhere.
///
/// A request is forgotten as soon as no caller waits for it, so that the next caller starts a new one.
struct SharedLoads<Caller> {
    /// An entry in the list of callers that wait for a request.
    struct Ticket: Sendable, Hashable {
        let key: SharingKey
        fileprivate let load: UInt64
        fileprivate let number: UInt64
    }

    enum Entry {
        /// The caller has to start the request.
        case first(Ticket)
        case joined(Ticket)
        /// Too many callers are already waiting.
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

    /// Creates the rules.
    ///
    /// - Parameter callerLimit: The maximum number of callers per request.
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

    /// Removes a caller.
    ///
    /// - Returns: The task to cancel, if this was the last caller.
    mutating func leave(_ ticket: Ticket) -> Task<Void, Never>? {
        guard loads[ticket.key]?.number == ticket.load else { return nil }
        _ = loads[ticket.key]?.callers.remove(ticket: ticket.number)
        guard let load = loads[ticket.key], load.callers.isEmpty else { return nil }
        loads[ticket.key] = nil
        return load.task
    }

    /// Forgets a request that has ended.
    ///
    /// - Parameter ticket: The ticket of any caller that waited for it.
    /// - Returns: The callers that wait for it, in order of arrival.
    mutating func finish(_ ticket: Ticket) -> [Caller] {
        guard let load = loads[ticket.key], load.number == ticket.load else { return [] }
        loads[ticket.key] = nil
        return load.callers.members
    }

    /// Forgets a request that has ended, unless several callers wait for it.
    mutating func finishUnlessShared(_ ticket: Ticket) -> [Caller]? {
        if let load = loads[ticket.key], load.number == ticket.load, load.callers.count > 1 { return nil }
        return finish(ticket)
    }

    /// Forgets the requests that a chain started before an epoch.
    mutating func removeAll(of chain: ObjectIdentifier, before epoch: Epoch) -> [(task: Task<Void, Never>?, callers: [Caller])] {
        let old = loads.filter { $0.key.chain == chain && $0.key.epoch < epoch }
        for key in old.keys { loads[key] = nil }
        return old.values.map { ($0.task, $0.callers.members) }
    }
}
