@testable import AuthHubCommandTests
import DevelopmentServer

extension Tool {
    /// The resource that the server protects.
    var resource: String { "\(server.issuer)/mcp" }

    /// The label of its account.
    var label: String { String(resource.dropFirst("http://".count)) }

    static var headless: [String] { ["--allow-insecure-loopback", "--headless", "--user", Tool.user] }

    func login(at url: String, _ more: String...) async throws -> ChildProcess.Output {
        try await run(["login", url] + Self.headless + more)
    }

    static func message(calling name: String) -> String {
        #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\#(name)"}}"#
    }

    func call(_ name: String) async throws -> ChildProcess.Output {
        try await run("request", resource, "--json", Self.message(calling: name))
    }
}
