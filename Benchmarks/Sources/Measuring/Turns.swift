/// Several pieces of work, done in turns, so that a busy moment of the machine meets them all.
package struct Turns {
    /// The times of one piece of work.
    package struct Times {
        package let median: Duration
        package let least: Duration
    }

    let rounds: Int

    /// - Parameter rounds: How often each piece is done; the first round warms up and does not count.
    package init(rounds: Int) {
        self.rounds = rounds
    }

    /// - Returns: The times of the pieces in their order.
    package func measure(_ pieces: [() async throws -> Void]) async throws -> [Times] {
        var times: [[Duration]] = pieces.map { _ in [] }
        for round in 0..<rounds {
            for (index, piece) in pieces.enumerated() {
                let time = try await ContinuousClock().measure(piece)
                if round > 0 { times[index].append(time) }
            }
        }
        return times.map { $0.sorted() }.map { Times(median: $0[$0.count / 2], least: $0[0]) }
    }
}

extension Duration {
    package var nanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}

extension Double {
    package func rounded(_ digits: Int) -> Double {
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        return (self * scale).rounded() / scale
    }
}
