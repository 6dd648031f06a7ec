import AsyncHTTPClient
import AsyncHTTPClientTransport
import AuthHub
import HTTPLoading
import HTTPTypes
import NIOCore
import NIOHTTP1

/// What a session adds to a request: over a transport that does nothing, and over the network against the bare client.
@main
struct AuthorizedRequest {
    static func main() async throws {
        let isSmoke = CommandLine.arguments.contains("--smoke")
        try await overNullTransport(requests: isSmoke ? 1_000 : 200_000, rounds: isSmoke ? 3 : 11)
        let responder = try await LoopbackResponder.start()
        for concurrency in [1, 64] {
            try await overLoopback(
                responder, concurrency: concurrency, requests: isSmoke ? 640 : 32_000, rounds: isSmoke ? 3 : 11)
        }
        try await responder.shutdown()
    }

    private static func overNullTransport(requests: Int, rounds: Int) async throws {
        let api = "http://127.0.0.1:1"
        let session = try await OAuthSession.signedIn(api: api, transport: NullTransport())
        let request = try LoadRequest.get("\(api)/user")
        let transport = NullTransport()
        let pair = try await Pair.measure(rounds: rounds) {
            for _ in 0..<requests { _ = try await transport.send(request) }
        } withLibrary: {
            for _ in 0..<requests { _ = try await session.load(request) }
        }
        let (bare, library) = (pair.bare / requests, pair.library / requests)
        print(
            "null transport: bare \(bare.nanoseconds) ns, session \(library.nanoseconds) ns, added \((library - bare).nanoseconds) ns a request"
        )
    }

    private static func overLoopback(_ responder: LoopbackResponder, concurrency: Int, requests: Int, rounds: Int) async throws {
        let url = "\(responder.url)/user"
        let session = try await OAuthSession.signedIn(api: responder.url, transport: NetworkTransport.shared)
        let request = try LoadRequest.get(url)
        let client = HTTPClient.shared
        let pair = try await Pair.measure(rounds: rounds) {
            try await concurrently(concurrency, requests) {
                var request = HTTPClientRequest(url: url)
                request.headers.add(name: "Authorization", value: "Bearer \(OAuthSession.benchmarkToken)")
                let response = try await client.execute(request, timeout: .seconds(30))
                precondition(response.status == .ok)
                _ = try await response.body.collect(upTo: 1_048_576)
            }
        } withLibrary: {
            try await concurrently(concurrency, requests) {
                let response = try await session.load(request)
                precondition(response.status == .ok)
                _ = try await response.body.collect(upTo: 1_048_576)
            }
        }
        let ratio = Double(pair.library.nanoseconds) / Double(pair.bare.nanoseconds)
        let perSecond = { (time: Duration) in Int(Double(requests) / (Double(time.nanoseconds) / 1e9)) }
        print(
            "loopback, \(concurrency) at once: bare \(perSecond(pair.bare))/s, session \(perSecond(pair.library))/s, time ratio \(ratio.rounded(3))"
        )
    }

    private static func concurrently(
        _ concurrency: Int, _ requests: Int, _ load: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<concurrency {
                group.addTask {
                    for _ in 0..<(requests / concurrency) { try await load() }
                }
            }
            try await group.waitForAll()
        }
    }
}
