/// What happens at a certain time.
enum Deadline: Hashable, Sendable {
    /// Messages no longer wait for the exchange.
    case handshake(Int)
    /// The exchange opens its stream again.
    case pause(Int)
    /// The exchange no longer waits for its turn.
    case turn(Int)
    /// Responses are no longer waited for.
    case input
}

/// The times that a machine waits for.
struct Deadlines: Sendable {
    private var all: [(deadline: Deadline, instant: Duration)] = []
    /// The instant that is already being waited for.
    private var announced: Duration?

    mutating func set(_ deadline: Deadline, at instant: Duration) { all.append((deadline, instant)) }

    mutating func remove(_ deadline: Deadline) { all.removeAll { $0.deadline == deadline } }

    /// Removes all that belong to an exchange.
    mutating func remove(of number: Int) {
        for deadline in [Deadline.handshake(number), .pause(number), .turn(number)] { remove(deadline) }
    }

    /// Removes and returns those that have come, the earliest first. The wait has ended.
    mutating func due(at now: Duration) -> [Deadline] {
        announced = nil
        let due = all.filter { $0.instant <= now }.sorted { $0.instant < $1.instant }.map(\.deadline)
        due.forEach { remove($0) }
        return due
    }

    /// Returns the next instant to wait for; nil if there is none, or it is already being waited for.
    mutating func next() -> Duration? {
        guard let next = all.map(\.instant).min(), next != announced else { return nil }
        announced = next
        return next
    }
}
