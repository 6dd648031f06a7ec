/// Which exchange may hold a large message in memory: one at a time, first come, first served.
struct LargeMessages: Sendable {
    private var line: [Int] = []

    /// Enters the line.
    ///
    /// - Returns: Whether it is the exchange's turn.
    mutating func enter(_ number: Int) -> Bool {
        if !line.contains(number) { line.append(number) }
        return line.first == number
    }

    /// Leaves the line.
    ///
    /// - Returns: The exchange whose turn it is now; nil if the line is empty.
    mutating func leave(_ number: Int) -> Int? {
        line.removeAll { $0 == number }
        return line.first
    }
}
