import AuthHubPrimitives
import Testing

@testable import AuthHub
@testable import AuthHubCommand

struct ToolNetworkTests {
    private static let proxy = ["HTTPS_PROXY": "http://proxy.example:3128"]

    static let rows: [(description: String, environment: [String: String], proxy: String?, url: String, isChecked: Bool)] = [
        ("no proxy", [:], nil, "https://a.example", true),
        ("a proxy", proxy, nil, "https://a.example", false),
        ("a proxy, and NO_PROXY for all hosts", proxy.merging(["NO_PROXY": "*"]) { $1 }, nil, "https://a.example", true),
        ("NO_PROXY for the host", proxy.merging(["NO_PROXY": "a.example"]) { $1 }, nil, "https://a.example", true),
        ("NO_PROXY for another host", proxy.merging(["NO_PROXY": "b.example"]) { $1 }, nil, "https://a.example", false),
        ("NO_PROXY for another port", proxy.merging(["NO_PROXY": "a.example:444"]) { $1 }, nil, "https://a.example", false),
        ("NO_PROXY with --proxy", ["NO_PROXY": "*"], "http://proxy.example:3128", "https://a.example", true),
        ("--proxy turns the proxy off", proxy, "", "https://a.example", true),
        ("a proxy only for http", ["http_proxy": "http://proxy.example:3128"], nil, "https://a.example", true),
        ("this machine is reached directly", proxy, nil, "https://localhost:8443", true),
    ]

    @Test(arguments: rows) func `addresses are checked on this machine, except behind a proxy`(
        description: String, environment: [String: String], proxy: String?, url: String, isChecked: Bool
    ) throws {
        let dependencies = try ToolNetwork.open(environment, proxy: proxy).dependenciesForThirdParties
        #expect(dependencies.addresses != nil)
        #expect(dependencies.isDirect(try #require(Origin(url: url))) == isChecked, "\(description)")
    }
}
