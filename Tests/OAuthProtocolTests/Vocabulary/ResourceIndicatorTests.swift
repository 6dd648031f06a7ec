import AuthHubPrimitives
import OAuthProtocol
import Testing

struct ResourceIndicatorTests {
    static let rows: [(resource: String, url: String, contains: Bool)] = [
        ("https://api.example/mcp", "https://api.example/mcp", true),
        ("https://api.example/mcp", "https://API.example:443/mcp?a=../b", true),
        ("https://api.example/mcp", "https://api.example/mcp/tools/1", true),
        ("https://api.example/mcp/", "https://api.example/mcp", true),
        ("https://api.example/mcp", "https://api.example/mcp/a%2Fb", true),
        ("https://api.example", "https://api.example/anything", true),
        ("https://api.example/", "https://api.example/", true),
        ("https://api.example/mcp?tenant=1", "https://api.example/mcp/a", true),
        ("https://api.example/mcp", "https://api.example/mcpx", false),
        ("https://api.example/mcp", "https://api.example/MCP", false),
        ("https://api.example/mcp", "https://api.example/", false),
        ("https://api.example/mcp", "https://api.example/user", false),
        ("https://api.example/mcp", "https://api.example:8443/mcp", false),
        ("https://api.example/mcp", "https://api.example.evil/mcp", false),
        ("https://api.example/mcp", "http://api.example/mcp", false),
        ("https://api.example/mcp", "https://api.example/mcp/../user", false),
        ("https://api.example/mcp", "https://api.example/mcp/./a", false),
        ("https://api.example/mcp", "https://api.example/mcp/%2E%2e/user", false),
        ("https://api.example/mcp", "https://api.example/mcp/..%2Fuser", false),
        ("https://api.example/mcp", "https://api.example/mcp%2F..%2Fuser", false),
        ("https://api.example/mcp", "https://api.example/mcp/..%5Cuser", false),
        ("https://api.example/mcp", "https://api.example/mcp/..;/user", false),
        ("https://api.example/mcp", "https://api.example/mcp/..%3b/user", false),
        ("https://api.example/mcp", "https://api.example/mcp/..%09/user", false),
        ("https://api.example/mcp", "https://api.example/mcp/%252e%252e/user", false),
        ("https://api.example/mcp", "https://api.example/mcp/%25252e%25252e%25252fuser", false),
        ("https://api.example/mcp", "https://api.example/mcp/%25%32%65%25%32%65/user", false),
        ("https://api.example/mcp", "https://api.example/mcp/%25%32%35%32%65./user", false),
        ("https://api.example/mcp", "https://api.example/mcp/a%25%32%66..%25%35%63user", false),
        ("https://api.example/mcp", "https://api.example/mcp/.%0a./user", false),
        ("https://api.example/mcp", "https://api.example/mcp/%25u002e%25u002e/user", false),
        ("https://api.example/mcp", "https://api.example/mcp/%c0%ae%c0%ae/user", false),
        ("https://api.example/mcp", "https://api.example/mcp/%252525252541", false),
        ("https://api.example/mcp", "https://api.example/mcp/100%25", true),
        ("https://api.example/mcp", "https://api.example/mcp/caf%C3%A9", true),
        ("https://api.example/mcp", "https://api.example/mcp/.well-known/a", true),
        ("https://api.example/mcp", "https://api.example/mcp/...%20", true),
        ("urn:example:api", "https://api.example/mcp", false),
    ]

    @Test(arguments: rows)
    func `MC17: a token for a resource is for its own URL and those below it`(row: (resource: String, url: String, contains: Bool)) throws {
        let resource = try #require(ResourceIndicator(row.resource))
        let target = try #require(RequestTarget(row.url))
        let origin = try #require(Origin(url: row.url))
        #expect(resource.contains(origin, path: target.path) == row.contains, "\(row.resource) \(row.url)")
    }
}
