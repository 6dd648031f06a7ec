import Measuring

/// The cost that the store adds to its statements, and whether a million records slow down reading one of them.
@main
struct PostgreSQLRecords {
    static func main() async throws {
        #if PostgreSQL
        guard let connection = CommandLine.arguments.dropFirst().first(where: { !$0.hasPrefix("-") }) else {
            print("usage: PostgreSQLRecords CONNECTION [--smoke]")
            return
        }
        let isSmoke = CommandLine.arguments.contains("--smoke")
        try await RoundTrips(connection).measure(rounds: isSmoke ? 3 : 31, each: isSmoke ? 5 : 50)
        try await Growth(connection).measure(sizes: isSmoke ? [100, 1_000] : [1_000, 1_000_000], rounds: isSmoke ? 3 : 31)
        #else
        print("This benchmark was built without PostgreSQL; build it with the trait PostgreSQL.")
        #endif
    }
}
