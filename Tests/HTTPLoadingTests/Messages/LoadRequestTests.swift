import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import Testing

struct LoadRequestTests {
    struct Query: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let url: String
        let query: FormParameters
        let path: String
    }

    @Test(arguments: [
        Query(testDescription: "none", url: "/notes", query: [:], path: "/notes"),
        Query(testDescription: "the first", url: "/notes", query: ["page": "2"], path: "/notes?page=2"),
        Query(
            testDescription: "characters that a query cannot contain", url: "/notes", query: ["q": "a & b=ü#"],
            path: "/notes?q=a+%26+b%3D%C3%BC%23"),
        Query(testDescription: "after a query", url: "/notes?a=1", query: ["b": "2", "b": "3"], path: "/notes?a=1&b=2&b=3"),
        Query(testDescription: "after an empty query", url: "/notes?", query: ["b": "2"], path: "/notes?b=2"),
        Query(testDescription: "after a trailing ampersand", url: "/notes?a=1&", query: ["b": "2"], path: "/notes?a=1&b=2"),
        Query(testDescription: "before a fragment", url: "/notes#top", query: ["b": "2"], path: "/notes?b=2"),
        Query(testDescription: "for a whole URL", url: "https://example.com", query: ["b": "2"], path: "/?b=2"),
    ])
    func `query parameters are encoded and appended`(row: Query) throws {
        #expect(try LoadRequest.get(row.url, query: row.query).head.path == row.path)
    }

    @Test func `each method has its own initializer`() throws {
        let body = RequestBody.bytes([1])
        let requests = try [
            LoadRequest.get("/"), .head("/"), .post("/", body: body), .put("/", body: body), .patch("/", body: body), .delete("/"),
        ]
        #expect(requests.map(\.head.method) == [.get, .head, .post, .put, .patch, .delete])
        #expect(requests.map(\.body.isEmpty) == [true, true, false, false, false, true])
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let url: String
        let word: String
    }

    @Test(arguments: [
        Fault(testDescription: "no slash", url: "canary", word: "begins with a slash"),
        Fault(testDescription: "another scheme", url: "ftp://canary/", word: "http or https"),
        Fault(testDescription: "a space", url: "/canary here", word: "spaces"),
        Fault(testDescription: "a letter that is not ASCII", url: "/canarü", word: "non-ASCII"),
        Fault(testDescription: "user information", url: "https://canary:canary@example.com/", word: "user information"),
        Fault(testDescription: "an invalid port", url: "https://canary:port/", word: "host or port"),
        Fault(testDescription: "an incomplete escape", url: "/canary%2", word: "percent-encoded"),
    ])
    func `the error for a rejected URL says what is wrong with it, and does not repeat it`(row: Fault) {
        let error = #expect(throws: LoadError.self) { try LoadRequest.get(row.url) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.description.contains(row.word) == true)
        #expect(error?.description.contains("canar") == false)
    }
}
