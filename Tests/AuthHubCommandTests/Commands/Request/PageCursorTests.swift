import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import Testing

@testable import AuthHubCommand

struct PageCursorTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let option: String
        var path = "/list"
        var body: String?
        let page: String
        /// The path of the next request.
        var nextPath = "/list"
        /// The body of the next request.
        var nextBody = ""
    }

    static let rows = [
        Row(testDescription: "adds a query", option: "c=after", page: #"{"c":"x y&z=="}"#, nextPath: "/list?after=x+y%26z%3D%3D"),
        Row(
            testDescription: "keeps other parameters as they were typed", option: "c=after", path: "/list?a%5B%5D=1&flag&b=2+3",
            page: #"{"c":"x"}"#, nextPath: "/list?a%5B%5D=1&flag&b=2+3&after=x"),
        Row(
            testDescription: "replaces the cursor of the first page", option: "c=after", path: "/list?after=1&n=5&%61fter=2",
            page: #"{"c":"x"}"#, nextPath: "/list?n=5&after=x"),
        Row(testDescription: "sends a number", option: "page.next=page", page: #"{"page":{"next":2}}"#, nextPath: "/list?page=2"),
        Row(
            testDescription: "adds a member to a JSON body", option: "next_cursor=start_cursor", body: #"{"size":5}"#,
            page: #"{"next_cursor":"x","has_more":true}"#, nextBody: #"{"size":5,"start_cursor":"x"}"#),
        Row(
            testDescription: "replaces a member of a JSON body, and keeps the type of a number", option: "page=page", body: #"{"page":1}"#,
            page: #"{"page":2}"#, nextBody: #"{"page":2}"#),
        Row(
            testDescription: "adds a variable to GraphQL", option: "data.items.pageInfo.endCursor=variables.after",
            body: #"{"query":"q","variables":{"n":5}}"#, page: #"{"data":{"items":{"pageInfo":{"endCursor":"x","hasNextPage":true}}}}"#,
            nextBody: #"{"query":"q","variables":{"n":5,"after":"x"}}"#),
        Row(
            testDescription: "adds variables to GraphQL", option: "c=variables.after", body: #"{"query":"q"}"#, page: #"{"c":"x"}"#,
            nextBody: #"{"query":"q","variables":{"after":"x"}}"#),
    ]

    @Test(arguments: rows) func `the next request is the first one with the cursor`(row: Row) throws {
        let cursor = try #require(PageCursor(argument: row.option))
        let body = row.body.map { RequestBody.bytes(Array($0.utf8), contentType: "application/json") } ?? .empty
        let first = try LoadRequest(
            row.body == nil ? .get : .post, "https://api.example\(row.path)", headers: [.accept: "text/x"], body: body)
        let value = try #require(try cursor.value(in: Array(row.page.utf8)))
        let next = try cursor.request(with: value, first: first)
        #expect(next.head.path == row.nextPath && next.head.authority == "api.example" && next.head.method == first.head.method)
        #expect(next.head.headerFields == first.head.headerFields && next.id != first.id)
        #expect(String(decoding: next.body.bytes ?? [], as: UTF8.self) == row.nextBody)
        #expect(next.body.contentType == first.body.contentType)
    }

    @Test(arguments: [
        "{}", #"{"a":null}"#, #"{"a":{}}"#, #"{"a":{"b":null}}"#, #"{"a":{"b":""}}"#, #"{"a":[]}"#,
        #"{"a":{"b":"x","hasNextPage":false}}"#, #"{"a":{"b":"x","has_more":false}}"#,
    ])
    func `the last page has no cursor, or is marked as the last`(page: String) throws {
        #expect(try PageCursor(argument: "a.b=c")?.value(in: Array(page.utf8)) == nil)
    }

    @Test(arguments: ["", "a", "=", "a=", "=b", "a..b=c", ".a=b", "a=b.", "a=b=c"])
    func `an option without a member or a parameter is rejected`(option: String) {
        #expect(PageCursor(argument: option) == nil)
    }

    @Test(arguments: [("[]", #"{"c":"x"}"#), (#"{"variables":[]}"#, #"{"c":"x"}"#), ("text", #"{"c":"x"}"#), ("{}", #"{"c":true}"#)])
    func `a cursor that cannot be read or sent is an error`(body: String, page: String) throws {
        let cursor = try #require(PageCursor(argument: "c=variables.after"))
        let first = try LoadRequest(.post, "https://api.example/", body: .bytes(Array(body.utf8)))
        #expect(throws: Failure.self) {
            let value = try #require(try cursor.value(in: Array(page.utf8)))
            _ = try cursor.request(with: value, first: first)
        }
    }
}
