/// The queue of the exchanges that want to hold a large message in memory: one at a time, first come, first served.
struct LargeMessages: Sendable {
    private var line: [Int] = []

    /// Adds an exchange to the queue.
    ///
    /// - Returns: Whether it is the exchange's turn.
    mutating func enter(_ number: Int) -> Bool {
        if !line.contains(number) { line.append(number) }
        return line.first == number
    }

    /// Removes an exchange from the queue.
    ///
    /// - Returns: The exchange whose turn it is now; nil if the queue is empty.
    mutating func leave(_ number: Int) -> Int? {
        line.removeAll { $0 == number }
        return line.first
    }
}
