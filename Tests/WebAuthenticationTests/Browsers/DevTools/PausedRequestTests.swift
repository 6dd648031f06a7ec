import AuthHubPrimitives
import Testing

@testable import WebAuthentication

struct PausedRequestTests {
    @Test(arguments: [
        (CallbackMethod.https(host: "App.example.com", path: "/callback"), "https://app.example.com/callback*"),
        (.https(host: "app.example.com", path: "/a*b/"), "https://app.example.com/a\\*b/*"),
    ])
    func `a pattern holds every callback, whatever its path`(_ method: CallbackMethod, pattern: String) throws {
        #expect(try CallbackAddress(method).devToolsPattern == pattern)
    }

    @Test(arguments: [
        "https://app.example.com/callback?a=b c", "https://app.example.com/callback?ä", "https://app.example.com:443/callback",
        "https://app.example.com/callback#odd", "https://app.example.com/callback?" + String(repeating: "x", count: 70_000),
    ])
    func `nothing that is addressed to the redirect URI is let through`(_ url: String) throws {
        let address = try CallbackAddress(.https(host: "app.example.com", path: "/callback"))
        for kind in ["Document", "XHR"] {
            for method in ["GET", "POST"] {
                let parameters: JSONValue = [
                    "requestId": "1", "frameId": "P", "resourceType": .string(kind),
                    "request": ["url": .string(url), "method": .string(method)],
                ]
                let request = try #require(PausedRequest(parameters))
                for isPage in [true, false] {
                    if case .pass = request.verdict(address, isPage: isPage) { Issue.record("\(kind) by \(method) went on") }
                }
            }
        }
    }
}
