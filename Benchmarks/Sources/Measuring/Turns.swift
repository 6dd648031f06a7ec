#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Several pieces of work, done in turns, so that a busy moment of the machine meets them all.
package struct Turns {
    /// The times of one piece of work.
    package struct Times {
        package let median: Duration
        package let least: Duration
        /// Of the processor, all threads of the process together; the median, too. Says more than the others on a busy machine.
        package let processor: Duration
    }

    let rounds: Int

    /// - Parameter rounds: How often each piece is done; the first round warms up and does not count.
    package init(rounds: Int) {
        self.rounds = rounds
    }

    /// - Returns: The times of the pieces in their order.
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
            Times(median: Self.median(times), least: times.min() ?? .zero, processor: Self.median(processorTimes))
        }
    }

    private static func median(_ times: [Duration]) -> Duration {
        times.sorted()[times.count / 2]
    }

    private static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

extension Turns.Times {
    /// How many times as long as others it took, by the wall and by the processor.
    package func ratio(to others: Self) -> String {
        let wall = Double(median.nanoseconds) / Double(others.median.nanoseconds)
        let processor = Double(processor.nanoseconds) / Double(others.processor.nanoseconds)
        return "time ratio \(wall.rounded(3)), processor time ratio \(processor.rounded(3))"
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
