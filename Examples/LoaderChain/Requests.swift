import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes

/// The parts of requests, and loaders that complete or answer them.
extension ChainExample {
    static func requests(at servers: Servers) async throws {
        let mock = try Chain(transport: ScriptedTransport([.init(.get("/user"), .json(["name": "Mona"]))]))
        show("mock", try await mock.load(.get("https://api.example.com/user")).text())

        var environment = servers.one
        environment.queryItems = ["lang": "en"]
        let chain = try Chain(transport: servers.transport) {
            EnvironmentLoader(environment)
            ModifyLoader(addingMissing: [.userAgent: "loader-chain/1.0"])
            ModifyLoader { request in request.head.headerFields[.acceptLanguage] = "de" }
            RedirectLoader()
        }
        show("environment, modify", try await chain.load(.get("/echo", query: ["page": "2"])).text())

        var request = try LoadRequest.get("/echo")
        request.options[ServerEnvironment.self] = servers.other
        show("option of a request", try await chain.load(request).text())

        let moved = try await chain.load(.get("/moved"))
        show("redirect", "\(moved.notes.redirects.count) hop, \(moved.status.code)")
    }
}
