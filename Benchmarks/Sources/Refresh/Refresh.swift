import AuthHub
import CredentialStorage
import HTTPLoading
import HTTPTypes
import Measuring
import Platform

/// The cost of a refresh for the requests that wait for it, and the memory of an idle session.
@main
struct Refresh {
    static func main() async throws {
        let isSmoke = CommandLine.arguments.contains("--smoke")
        let requests = isSmoke ? 100 : 1_000
        let rounds = isSmoke ? 3 : 11
        try await atExpiry(requests: requests, rounds: rounds)
        try await endedEarly(requests: requests, rounds: rounds)
        try await Memory(sessions: isSmoke ? 1_000 : 100_000).measure()
    }

    /// Measures requests with an expired token. The baseline: the token endpoint's delay, and then all requests at the same time.
    private static func atExpiry(requests: Int, rounds: Int) async throws {
        let server = RotatingTransport()
        let (session, clock) = try await OAuthSession.signedIn(at: server)
        let times = try await Comparison(rounds: rounds).measure([
            {
                try await Task.sleep(for: RotatingTransport.tokenPause)
                try await together(requests) { try await server.send($0) }
            },
            {
                clock.advance(by: RotatingTransport.lifetime)
                guard try await together(requests, { try await session.load($0) }) == requests else { throw RefreshError.refused }
            },
        ])
        report("\(requests) requests at expiry", times, server, rounds)
    }

    /// Measures requests with a revoked token. The baseline: all requests at the same time, the delay, and all requests once more.
    private static func endedEarly(requests: Int, rounds: Int) async throws {
        let server = RotatingTransport()
        let (session, _) = try await OAuthSession.signedIn(at: server)
        let times = try await Comparison(rounds: rounds).measure([
            {
                try await together(requests) { try await server.send($0) }
                try await Task.sleep(for: RotatingTransport.tokenPause)
                try await together(requests) { try await server.send($0) }
            },
            {
                server.endAccessToken()
                guard try await together(requests, { try await session.load($0) }) == requests else { throw RefreshError.refused }
            },
        ])
        report("\(requests) requests after the token was revoked", times, server, rounds)
    }

    private static func report(_ name: String, _ times: [Comparison.Times], _ server: RotatingTransport, _ rounds: Int) {
        print(
            "\(name): \(times[1].milliseconds(beside: times[0])), \(times[1].ratio(to: times[0], goal: 1.15)),"
                + " \(server.refreshes) token requests in \(rounds) rounds")
    }

    /// Sends requests at the same time.
    ///
    /// - Returns: The number of successful requests. The baseline's requests have no token; rejecting them takes as long as a success.
    @discardableResult
    private static func together(
        _ count: Int, _ load: @escaping @Sendable (LoadRequest) async throws -> LoadResponse
    ) async throws -> Int {
        let request = try LoadRequest.get(RotatingTransport.api)
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<count { group.addTask { try await load(request).status.kind == .successful } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }
}

enum RefreshError: Error {
    case notSignedIn, refused, unknownMemory
}
