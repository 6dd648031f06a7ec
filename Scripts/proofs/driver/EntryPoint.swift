/// The programs that proofs control with commands, line by line; the first argument chooses one.
@main
enum EntryPoint {
    static func main() async throws {
        switch CommandLine.arguments.dropFirst().first {
        case "fleet": try await FleetDriver.main()
        case "load": try await LoadDriver.main()
        case "server": try await ServerDriver.main()
        case "session": try await SessionDriver.main()
        default: throw UnknownDriver()
        }
    }
}

private struct UnknownDriver: Error {}
