import AsyncHTTPClientTransport
import HTTPLoading
import Loopback
import Measuring

/// The cost that a chain adds to a request: over a transport that does nothing, and over the network compared with the bare client.
@main
struct ChainedRequest {
    static let token = "benchmark0123456789012345678901234"

    static func main() async throws {
        let isSmoke = CommandLine.arguments.contains("--smoke")
        try await overNullTransport(requests: isSmoke ? 1_000 : 50_000, rounds: isSmoke ? 3 : 11)
        let responder = try await LoopbackResponder.start()
        let chain = try Chain.standard(NetworkTransport.shared, token: token)
        let comparison = LoopbackComparison(responder, token: token, requests: isSmoke ? 640 : 32_000, rounds: isSmoke ? 3 : 11)
        for concurrency in [1, 64] {
            try await comparison.run("chain", concurrency: concurrency) { try await chain.load($0) }
        }
        try await responder.shutdown()
    }

    private static func overNullTransport(requests: Int, rounds: Int) async throws {
        let request = try LoadRequest.get("http://127.0.0.1:1/user")
        let transport: any Transport = NullTransport()
        let (empty, ten) = (try Chain.empty(transport), try Chain.ofTen(transport))
        let standard = try Chain.standard(transport, token: token)
        let names = ["bare", "ten nested functions", "empty chain", "chain of ten", "standard chain"]
        let times = try await Comparison(rounds: rounds).measure([
            { for _ in 0..<requests { _ = try await transport.send(request) } },
            { for _ in 0..<requests { _ = try await nested(10, request, to: transport) } },
            { for _ in 0..<requests { _ = try await empty.load(request) } },
            { for _ in 0..<requests { _ = try await ten.load(request) } },
            { for _ in 0..<requests { _ = try await standard.load(request) } },
        ]).map { ($0.processor / requests).nanoseconds }
        let figures = zip(names, times).map { "\($0) \($1) ns" }
        print("null transport, CPU time per request: \(figures.joined(separator: ", "))")
        let ratio = Double(times[3] - times[2]) / Double(times[1] - times[0])
        print("null transport: ten loaders behind the gate, compared with ten nested functions: CPU time ratio \(ratio.rounded(3))")
    }
}
