import Measuring
import Platform

/// The cost of parsing and validating a message, on one core, compared with a parser that validates nothing.
///
///     Messages [--smoke]
///     Messages WORK NUMBER    performs one operation this often, to measure its cost
@main
struct Messages {
    static func main() async throws {
        let arguments = CommandLine.arguments
        let works = try Work.all()
        if arguments.count == 3, let work = works.first(where: { $0.name == arguments[1] }), let count = Int(arguments[2]) {
            for _ in 0..<count { try work.validated() }
        } else if arguments.count == 1 || arguments.dropFirst() == ["--smoke"] {
            try await measure(works, isSmoke: arguments.count > 1)
        } else {
            print("usage: Messages [--smoke] | (\(works.map(\.name).joined(separator: " | "))) NUMBER")
            exit(64)
        }
    }

    private static func measure(_ works: [Work], isSmoke: Bool) async throws {
        let (count, comparison) = isSmoke ? (100, Comparison(rounds: 3)) : (20_000, Comparison(rounds: 11))
        for work in works {
            let times = try await comparison.measure([
                { for _ in 0..<count { try work.limit() } },
                { for _ in 0..<count { try work.validated() } },
            ])
            let (limit, validated) = (times[0].each(of: count), times[1].each(of: count))
            print(
                "\(work.name), \(work.size) bytes: \(1_000_000_000 / max(validated.median, 1)) per second on one core;"
                    + " \(validated.median) ns (fastest \(validated.least)), \(work.limitName) \(limit.median) ns (fastest \(limit.least));"
                    + " \(times[1].ratio(to: times[0]))")
        }
    }
}
