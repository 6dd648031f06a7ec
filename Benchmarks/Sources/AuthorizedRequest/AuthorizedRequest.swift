import AsyncHTTPClientTransport
import AuthHub
import HTTPLoading
import Loopback
import Measuring
import SignedIn

/// The cost that a session adds to a request: over a transport that does nothing, and over the network compared with the bare client.
@main
struct AuthorizedRequest {
    static func main() async throws {
        let isSmoke = CommandLine.arguments.contains("--smoke")
        try await overNullTransport(requests: isSmoke ? 1_000 : 50_000, rounds: isSmoke ? 3 : 11)
        let responder = try await LoopbackResponder.start()
        let session = try await OAuthSession.restored(api: responder.url, transport: NetworkTransport.shared)
        let comparison = LoopbackComparison(
            responder, token: OAuthSession.benchmarkToken, requests: isSmoke ? 640 : 32_000, rounds: isSmoke ? 3 : 11)
        for concurrency in [1, 64] {
            try await comparison.run("session", concurrency: concurrency, goal: concurrency == 64 ? 1.05 : nil) {
                try await session.load($0)
            }
        }
        try await responder.shutdown()
    }

    private static func overNullTransport(requests: Int, rounds: Int) async throws {
        let api = "http://127.0.0.1:1"
        let session = try await OAuthSession.restored(api: api, transport: NullTransport())
        let request = try LoadRequest.get("\(api)/user")
        let transport = NullTransport()
        let times = try await Comparison(rounds: rounds).measure([
            { for _ in 0..<requests { _ = try await transport.send(request) } },
            { for _ in 0..<requests { _ = try await session.load(request) } },
            { for _ in 0..<requests { _ = try await session.accessToken() } },
        ]).map { $0.each(of: requests) }
        let (bare, library, token) = (times[0], times[1], times[2])
        print(
            "null transport, CPU time per request in the fastest round: bare \(bare.least) ns, session \(library.least) ns,"
                + " added \(library.least - bare.least) ns (goal: at most 2000); added in the median round: \(library.median - bare.median) ns"
        )
        print("cached token, CPU time per call: \(token.least) ns in the fastest round, \(token.median) ns in the median round")
    }
}
