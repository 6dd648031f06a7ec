/// The holder of a lease and its waiters, first come, first served. A value type that does not wait itself.
struct LeaseQueue {
    /// A request for the lease; never reused.
    struct Ticket: Sendable, Hashable {
        let number: UInt64
    }

    private(set) var holder: Ticket?
    private var waiting: [Ticket] = []

    /// Acquires the lease, or joins the end of the queue.
    mutating func enter(_ ticket: Ticket) {
        if holder == nil { holder = ticket } else { waiting.append(ticket) }
    }

    /// Releases the lease. Does nothing if the ticket does not hold it.
    ///
    /// - Returns: The ticket that holds the lease as a result.
    mutating func release(_ ticket: Ticket) -> Ticket? {
        guard holder == ticket else { return nil }
        holder = waiting.isEmpty ? nil : waiting.removeFirst()
        return holder
    }

    /// Stops waiting. A ticket that has been granted the lease keeps it.
    mutating func giveUp(_ ticket: Ticket) {
        waiting.removeAll { $0 == ticket }
    }

    func isWaiting(_ ticket: Ticket) -> Bool {
        waiting.contains(ticket)
    }
}
