/// Who holds a lease and who waits for it, first come first served. A value: it waits for nothing itself.
struct LeaseQueue {
    /// One wish for the lease; never used twice.
    struct Ticket: Sendable, Hashable {
        let number: UInt64
    }

    private(set) var holder: Ticket?
    private var waiting: [Ticket] = []

    /// Takes the lease, or the last place in the queue.
    mutating func enter(_ ticket: Ticket) {
        if holder == nil { holder = ticket } else { waiting.append(ticket) }
    }

    /// Gives the lease back. Of a ticket that does not hold it, nothing happens.
    ///
    /// - Returns: The ticket that holds the lease because of it.
    mutating func release(_ ticket: Ticket) -> Ticket? {
        guard holder == ticket else { return nil }
        holder = waiting.isEmpty ? nil : waiting.removeFirst()
        return holder
    }

    /// Gives up waiting. A ticket that has been granted the lease keeps it.
    mutating func giveUp(_ ticket: Ticket) {
        waiting.removeAll { $0 == ticket }
    }

    func isWaiting(_ ticket: Ticket) -> Bool {
        waiting.contains(ticket)
    }
}
