import Platform

/// Several operations that are measured in turns, so that a busy moment of the machine affects all of them.
package struct Comparison {
    /// The times of one operation.
    package struct Times {
        let walls: [Duration]
        /// The processor times, of all threads of the process. On a busy machine, they are more meaningful than the wall-clock times.
        let processors: [Duration]

        package var median: Duration { Comparison.median(walls) }
        package var least: Duration { walls.min() ?? .zero }
        package var processor: Duration { Comparison.median(processors) }
        package var leastProcessor: Duration { processors.min() ?? .zero }
    }

    let rounds: Int

    /// Creates a comparison.
    ///
    /// - Parameter rounds: How often each operation runs; the first round is a warm-up and does not count.
    package init(rounds: Int) {
        self.rounds = rounds
    }

    /// Measures operations.
    ///
    /// - Returns: The times of the operations in order.
    package func measure(_ pieces: [() async throws -> Void]) async throws -> [Times] {
        var times: [[Duration]] = pieces.map { _ in [] }
        var processorTimes = times
        for round in 0..<rounds {
            for (index, piece) in pieces.enumerated() {
                let start = Self.processorTime
                let time = try await ContinuousClock().measure(piece)
                guard round > 0 else { continue }
                times[index].append(time)
                processorTimes[index].append(Self.processorTime - start)
            }
        }
        return zip(times, processorTimes).map { times, processorTimes in
            Times(walls: times, processors: processorTimes)
        }
    }

    static func median<Value: Comparable>(_ times: [Value]) -> Value {
        times.sorted()[times.count / 2]
    }

    private static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

extension Comparison.Times {
    /// Returns how many times as long as others it took, in wall-clock and in processor time: the median of the ratios per round, so that
    /// changes during a run affect neither.
    package func ratio(to others: Self, goal: Double? = nil) -> String {
        let wall = Self.ratio(walls, to: others.walls)
        let processor = Self.ratio(processors, to: others.processors)
        let aim = goal.map { " (goal: at most \($0))" } ?? ""
        return "time ratio \(wall.rounded(3))\(aim), CPU time ratio \(processor.rounded(3))"
    }

    private static func ratio(_ times: [Duration], to others: [Duration]) -> Double {
        Comparison.median(zip(times, others).map { Double($0.nanoseconds) / Double($1.nanoseconds) })
    }

    /// Returns the number of operations per second, in the median round.
    package func perSecond(_ count: Int) -> Int {
        Int((Double(count) * 1e9 / Double(median.nanoseconds)).rounded())
    }

    /// Returns the rate as a fraction of another rate, in wall-clock time, round by round.
    package func rate(beside others: Self, goal: Double? = nil) -> String {
        let aim = goal.map { " (goal: at least \($0))" } ?? ""
        return "\(Self.ratio(others.walls, to: walls).rounded(2)) times the baseline's rate\(aim)"
    }

    /// Returns both wall-clock times.
    package func milliseconds(beside baseline: Self) -> String {
        let figures = [baseline, self].map { Double($0.median.nanoseconds / 1_000) / 1_000 }
        return "baseline \(figures[0]) ms, AuthHub \(figures[1]) ms"
    }

    /// Returns the processor time of one of several operations, in nanoseconds: in the median round, and in the fastest.
    package func each(of count: Int) -> (median: Int64, least: Int64) {
        ((processor / count).nanoseconds, (leastProcessor / count).nanoseconds)
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
