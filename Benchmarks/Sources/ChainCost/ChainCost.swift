import HTTPLoading
import Measuring

/// A program that sends a number of requests through one chain, to measure their cost.
///
///     ChainCost (bare | empty | ten | standard) NUMBER
@main
struct ChainCost {
    static func main() {
        blocking { try await run() }
    }

    private static func run() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let count = Int(arguments[2]), let load = try load(arguments[1]) else {
            throw LoadError(.invalidRequest, explanation: "usage: ChainCost (bare | empty | ten | standard) NUMBER")
        }
        let request = try LoadRequest.get("http://127.0.0.1:1/user")
        for _ in 0..<count { _ = try await load(request) }
    }

    private static func load(_ name: String) throws -> (@Sendable (LoadRequest) async throws -> LoadResponse)? {
        let transport = NullTransport()
        let chain: Chain
        switch name {
        case "bare": return { try await transport.send($0) }
        case "empty": chain = try .empty(transport)
        case "ten": chain = try .ofTen(transport)
        case "standard": chain = try .standard(transport, token: "benchmark0123456789012345678901234")
        default: return nil
        }
        return { try await chain.load($0) }
    }
}
