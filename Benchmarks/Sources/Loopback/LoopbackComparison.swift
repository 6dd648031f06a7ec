import AsyncHTTPClient
package import HTTPLoading
import HTTPTypes
import Measuring
import NIOCore
import NIOHTTP1

/// Keep-alive GET requests to a small server in the same process: bare AsyncHTTPClient compared with the library; both read the body.
package struct LoopbackComparison {
    package typealias Load = @Sendable (LoadRequest) async throws -> LoadResponse

    private let responder: LoopbackResponder
    private let token: String
    private let requests: Int
    private let rounds: Int

    /// Creates a comparison.
    ///
    /// - Parameter token: The token that the bare client sends, like the library.
    package init(_ responder: LoopbackResponder, token: String, requests: Int, rounds: Int) {
        self.responder = responder
        self.token = token
        self.requests = requests
        self.rounds = rounds
    }

    /// Prints the requests per second of both, and the ratio of their times.
    package func run(_ name: String, concurrency: Int, goal: Double? = nil, _ load: @escaping Load) async throws {
        let url = "\(responder.url)/user"
        let request = try LoadRequest.get(url)
        let client = HTTPClient.shared
        let times = try await Comparison(rounds: rounds).measure([
            {
                try await concurrently(concurrency) {
                    var request = HTTPClientRequest(url: url)
                    request.headers.add(name: "Authorization", value: "Bearer \(token)")
                    let response = try await client.execute(request, timeout: .seconds(30))
                    precondition(response.status == .ok)
                    _ = try await response.body.collect(upTo: 1_048_576)
                }
            },
            {
                try await concurrently(concurrency) {
                    let response = try await load(request)
                    precondition(response.status == .ok)
                    _ = try await response.body.collect(upTo: 1_048_576)
                }
            },
        ])
        let (bare, library) = (times[0], times[1])
        let perSecond = { (time: Duration) in Int(Double(requests) / (Double(time.nanoseconds) / 1e9)) }
        print(
            "loopback, \(concurrency) at once: bare \(perSecond(bare.median))/s, \(name) \(perSecond(library.median))/s, \(library.ratio(to: bare, goal: goal))"
        )
    }

    private func concurrently(_ concurrency: Int, _ load: @escaping @Sendable () async throws -> Void) async throws {
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
