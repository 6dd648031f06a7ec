import AsyncHTTPClientTransport
import AuthHubPrimitives
import HTTPLoading

/// An example that demonstrates each loader with the nginx that `try` starts.
@main
struct ChainExample {
    static func main() async throws {
        guard CommandLine.arguments.count == 3 else { throw Usage() }
        let servers = try Servers(CommandLine.arguments[1], other: CommandLine.arguments[2])
        try await requests(at: servers)
        try await sharing(at: servers)
        try await waiting(at: servers)
        try await authorizing(at: servers)
        try await bodies(at: servers)
        try await ending(at: servers)
        try await allTogether(at: servers)
        await NetworkTransport.shared.shutdown()
    }

    /// Prints the result of an example.
    ///
    /// - Parameters:
    ///   - loader: The demonstrated loader.
    ///   - facts: What the server received, or what the loader did.
    static func show(_ loader: String, _ facts: String) {
        print(loader + String(repeating: " ", count: max(1, 22 - loader.count)) + facts)
    }
}

/// The two servers of the nginx, each with its own origin.
struct Servers: Sendable {
    let one: ServerEnvironment
    let other: ServerEnvironment
    let transport = NetworkTransport.shared

    init(_ one: String, other: String) throws(LoadError) {
        self.one = try ServerEnvironment(url: one + "/v1")
        self.other = try ServerEnvironment(url: other + "/v2")
    }

    /// Returns a chain with these loaders, after one that completes paths to URLs of the first server.
    func chain(_ loaders: any Loader...) throws(ChainError) -> Chain {
        try Chain(transport: transport, [EnvironmentLoader(one)] + loaders)
    }
}

struct Usage: Error, CustomStringConvertible {
    var description: String { "start Examples/LoaderChain/try, which starts nginx and names its URLs" }
}

extension LoadResponse {
    /// Returns the body, which is short enough to print.
    func text() async throws(LoadError) -> String {
        String(decoding: try await body.collect(upTo: 100_000), as: UTF8.self)
    }
}
