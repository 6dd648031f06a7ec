import AuthHubPrimitives
import Testing

@testable import OAuthProtocol

/// Rules about queries and forms, from the tests of other libraries; see `docs/checks.md`.
struct FormTableTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let expected: FormParameters
    }

    @Test(arguments: [
        Row(testDescription: "AppAuth: one parameter", text: "a=b", expected: ["a": "b"]),
        Row(testDescription: "AppAuth: several parameters, in their order", text: "b=1&a=2&c=3", expected: ["b": "1", "a": "2", "c": "3"]),
        Row(testDescription: "AppAuth: one name with two values", text: "a=1&a=2", expected: ["a": "1", "a": "2"]),
        Row(testDescription: "AppAuth: a plus is a space", text: "a=b+c+d", expected: ["a": "b c d"]),
        Row(testDescription: "AppAuth: an escaped space is a space, too", text: "a=b%20c+d", expected: ["a": "b c d"]),
        Row(testDescription: "AppAuth: an escaped plus is not a space", text: "a=b%2Bc", expected: ["a": "b+c"]),
        Row(
            testDescription: "AppAuth: the characters of the specification, escaped", text: "a=%20%25%26%2B%C2%A3%E2%82%AC",
            expected: ["a": " %&+£€"]),
        Row(testDescription: "AppAuth: the same in a name", text: "%20%25%26%2B%C2%A3%E2%82%AC=a", expected: [" %&+£€": "a"]),
        Row(testDescription: "OAuthSwift: only a flag", text: "flag", expected: ["flag": ""]),
        Row(testDescription: "OAuthSwift: a flag at the start", text: "flag&a=1", expected: ["flag": "", "a": "1"]),
        Row(testDescription: "OAuthSwift: a flag in the middle", text: "a=1&flag&b=2", expected: ["a": "1", "flag": "", "b": "2"]),
        Row(testDescription: "OAuthSwift: a flag at the end", text: "a=1&flag", expected: ["a": "1", "flag": ""]),
        Row(testDescription: "OAuthSwift: two flags", text: "one&two", expected: ["one": "", "two": ""]),
        Row(testDescription: "OAuthSwift: a name without a value", text: "a=", expected: ["a": ""]),
        Row(testDescription: "OAuthSwift: a value with equals signs", text: "a=b==&c", expected: ["a": "b==", "c": ""]),
        Row(testDescription: "OAuthSwift: nothing", text: "", expected: [:]),
    ])
    func `parses a query`(row: Row) throws {
        #expect(try FormParameters(decoding: row.text) == row.expected)
        #expect(try FormParameters(decoding: row.expected.encoded()) == row.expected)
        #expect(try FormParameters(decoding: row.expected.encoded(spaces: .percent)) == row.expected)
    }

    @Test func `OAuthSwift: accepts a callback with flags next to its parameters`() throws {
        let request = try authorizationRequest()
        let state = try #require(try request.query["state"])
        var pending = request.pending
        let code = try pending.accept(Secret("\(redirectURI)?flag&code=c&other&state=\(state)&last"), at: now)
        #expect(code.value == Secret("c"))
    }

    @Test func `AppAuth: appends parameters to an existing query, and rejects an endpoint with a fragment`() throws {
        var server = plainServer
        server.endpoints?.authorization = "https://as.example/authorize?a=1&b"
        let url = try authorizationRequest(to: server, scope: ["a b", "c"]).url
        #expect(url.hasPrefix("https://as.example/authorize?a=1&b&"))
        #expect(url.utf8.count { $0 == UInt8(ascii: "?") } == 1)
        #expect(!url.contains("+"))
    }
}
