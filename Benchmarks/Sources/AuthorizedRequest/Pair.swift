/// The same work without the library and with it, in turns, so that a busy moment of the machine meets both.
struct Pair {
    let bare: Duration
    let library: Duration

    /// The medians of all rounds but the first, which warms up.
    static func measure(
        rounds: Int, bare: () async throws -> Void, withLibrary: () async throws -> Void
    ) async throws -> Pair {
        var bareTimes: [Duration] = []
        var libraryTimes: [Duration] = []
        for round in 0..<rounds {
            let clock = ContinuousClock()
            let bareTime = try await clock.measure(bare)
            let libraryTime = try await clock.measure(withLibrary)
            guard round > 0 else { continue }
            bareTimes.append(bareTime)
            libraryTimes.append(libraryTime)
        }
        return Pair(bare: median(bareTimes), library: median(libraryTimes))
    }

    private static func median(_ times: [Duration]) -> Duration {
        times.sorted()[times.count / 2]
    }
}

extension Duration {
    var nanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}

extension Double {
    func rounded(_ digits: Int) -> Double {
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        return (self * scale).rounded() / scale
    }
}
