import AsyncHTTPClientTransport
import AuthHub
import Loopback
import Measuring
import Platform

/// The cost of a refresh for processes that share one stored credential: eight of them find the token expired at the same time.
///
/// The baseline is the same processes without sessions: each waits for one response of the token endpoint, and then sends its requests.
@main
struct SharedRefresh {
    static let processes = 8

    static func main() async throws {
        if CommandLine.arguments.dropFirst().first == "member" { return try await Member(CommandLine.arguments).work() }
        let isSmoke = CommandLine.arguments.contains("--smoke")
        let (requests, rounds) = isSmoke ? (80, 3) : (1_000, 11)
        let server = try await LoopbackAuthorizationServer.start()
        let folder = FileManager.default.temporaryDirectory.appending(path: "authhub-shared-refresh-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await OAuthSession.sharing(server: server.url, folder: folder, transport: NetworkTransport.shared).signIn()
        let before = server.tokenRequests
        let members = try (0..<processes).map { _ in
            try OtherProcess([CommandLine.arguments[0], "member", server.url, folder, "\(requests / processes)"])
        }
        var shift = 0.0
        let times = try await Comparison(rounds: rounds).measure([
            { try order("bare", of: members) },
            {
                shift += LoopbackAuthorizationServer.lifetime
                try order("session \(shift)", of: members)
            },
        ])
        print(
            "\(requests) requests of \(processes) processes at expiry: \(times[1].milliseconds(beside: times[0])),"
                + " \(times[1].ratio(to: times[0], goal: 1.3)), \(server.tokenRequests - before) token requests in \(rounds) rounds")
        for member in members { member.end() }
        try await server.shutdown()
    }

    /// Sends a command to all processes, and waits for all.
    private static func order(_ order: String, of members: [OtherProcess]) throws {
        for member in members { try member.write(order) }
        for member in members {
            guard let answer = try member.read(), answer == "good" else { throw SharedRefreshError.failed }
        }
    }
}

enum SharedRefreshError: Error {
    case failed, system(Int32)
}
