/// An event at a certain time.
enum Deadline: Hashable, Sendable {
    /// Messages no longer wait for the exchange.
    case handshake(Int)
    /// The exchange opens its stream again.
    case pause(Int)
    /// The exchange no longer waits for its turn.
    case turn(Int)
    /// The proxy no longer waits for responses.
    case input
}

/// The times that a machine waits for.
struct Deadlines: Sendable {
    private var all: [(deadline: Deadline, instant: Duration)] = []
    /// The instant that the proxy already waits for.
    private var announced: Duration?

    mutating func set(_ deadline: Deadline, at instant: Duration) { all.append((deadline, instant)) }

    mutating func remove(_ deadline: Deadline) { all.removeAll { $0.deadline == deadline } }

    /// Removes all deadlines of an exchange.
    mutating func remove(of number: Int) {
        for deadline in [Deadline.handshake(number), .pause(number), .turn(number)] { remove(deadline) }
    }

    /// Removes and returns the deadlines that have passed, the earliest first. Ends the wait for the announced instant.
    mutating func due(at now: Duration) -> [Deadline] {
        announced = nil
        let due = all.filter { $0.instant <= now }.sorted { $0.instant < $1.instant }.map(\.deadline)
        due.forEach { remove($0) }
        return due
    }

    /// Returns the next instant to wait for; nil if there is none, or the proxy already waits for it.
    mutating func next() -> Duration? {
        guard let next = all.map(\.instant).min(), next != announced else { return nil }
        announced = next
        return next
    }
}
