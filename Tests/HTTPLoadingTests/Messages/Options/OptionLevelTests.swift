import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Testing

struct OptionLevelTests {
    private enum Number: RequestOption {
        static var defaultValue: Int { 0 }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var chain: Int?
        var environment: Int?
        var request: Int?
        let expected: Int
    }

    @Test(arguments: [
        Row(testDescription: "nothing is set: the default", expected: 0),
        Row(testDescription: "only the chain", chain: 1, expected: 1),
        Row(testDescription: "the environment takes precedence over the chain", chain: 1, environment: 2, expected: 2),
        Row(testDescription: "the request takes precedence over the chain", chain: 1, request: 3, expected: 3),
        Row(testDescription: "the request takes precedence over the environment", environment: 2, request: 3, expected: 3),
        Row(testDescription: "the request takes precedence over both", chain: 1, environment: 2, request: 3, expected: 3),
        Row(testDescription: "a request that sets the default sets a value", chain: 1, environment: 2, request: 0, expected: 0),
    ])
    func `the nearest setting counts`(row: Row) async throws {
        var chainOptions = RequestOptions()
        if let number = row.chain { chainOptions[Number.self] = number }
        var environment = try ServerEnvironment(url: "https://example.com")
        if let number = row.environment { environment.options[Number.self] = number }
        var request = try LoadRequest.get("/")
        if let number = row.request { request.options[Number.self] = number }

        let transport = ScriptedTransport([.init(.any, .status(.ok))])
        let chain = try Chain(transport: transport, options: chainOptions, [EnvironmentLoader(environment)])
        _ = try await chain.load(request)
        #expect(transport.requests[0].options[Number.self] == row.expected)
    }

    @Test func `a request's own environment provides its own options`() async throws {
        var chains = try ServerEnvironment(url: "https://chain.example")
        chains.options[Number.self] = 1
        var own = try ServerEnvironment(url: "https://own.example")
        own.options[Number.self] = 2
        var request = try LoadRequest.get("/")
        request.options[ServerEnvironment.self] = own

        let transport = ScriptedTransport([.init(.get("https://own.example/"), .status(.ok))])
        _ = try await Chain(transport: transport, [EnvironmentLoader(chains)]).load(request)
        #expect(transport.requests[0].options[Number.self] == 2)
    }
}
