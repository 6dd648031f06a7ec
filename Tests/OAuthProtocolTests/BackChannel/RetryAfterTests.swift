import AuthHubPrimitives
import HTTPTypes
import OAuthProtocol
import Testing

/// RFC 9110 §10.2.3, for responses of the server's endpoints.
struct RetryAfterTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var status = 503
        var values: [String] = ["7"]
        var date: String?
        var body = ""
        var expected: Int? = 7
    }

    @Test(arguments: [
        Row(testDescription: "429", status: 429),
        Row(testDescription: "500", status: 500),
        Row(testDescription: "502", status: 502),
        Row(testDescription: "503"),
        Row(testDescription: "504", status: 504),
        Row(testDescription: "599", status: 599),
        Row(testDescription: "a page", status: 500, body: "<html>"),
        Row(testDescription: "JSON without an error", status: 500, body: #"{"message":"busy"}"#),
        Row(testDescription: "a named error", status: 400, body: #"{"error":"slow_down"}"#),
        Row(testDescription: "white space", values: [" 7\t"]),
        Row(
            testDescription: "a date by the server's clock", values: ["Sun, 06 Nov 1994 08:49:44 GMT"],
            date: "Sun, 06 Nov 1994 08:49:37 GMT"),
        Row(testDescription: "a date by our clock", values: ["Fri, 15 Jan 2027 08:00:07 GMT"]),
        Row(testDescription: "a date in an obsolete format", values: ["Friday, 15-Jan-27 08:00:07 GMT"]),
        Row(testDescription: "a date in the past", values: ["Fri, 15 Jan 2027 07:00:00 GMT"], expected: 0),
        Row(testDescription: "a number too large to represent", values: ["99999999999999999999999"], expected: 1 << 31),
        Row(testDescription: "the last date", values: ["Fri, 31 Dec 9999 23:59:59 GMT"], expected: 1 << 31),
        Row(testDescription: "two values", values: ["7", "9"], expected: nil),
        Row(testDescription: "negative", values: ["-7"], expected: nil),
        Row(testDescription: "garbage", values: ["soon"], expected: nil),
        Row(testDescription: "none", values: [], expected: nil),
    ])
    func `parses Retry-After in both forms, in every response that says the server is unavailable`(row: Row) {
        var head = HTTPResponse(status: .init(code: row.status), headerFields: [.contentType: "application/json"])
        if row.body.hasPrefix("<") { head.headerFields[.contentType] = "text/html" }
        for value in row.values { head.headerFields.append(HTTPField(name: .retryAfter, value: value)) }
        head.headerFields[.date] = row.date
        let failure = error { [head] () throws(OAuthError) in
            let request = try TokenRequest.refresh(Secret("r"), scope: [], client: client, at: plainServer)
            _ = try TokenResponse(head, body: Secret(Array(row.body.utf8)), to: request, from: plainServer, at: now)
        }
        #expect(failure?.code == .serverRejected)
        #expect(failure?.serverError?.retryAfter == row.expected)
        #expect(failure?.serverError?.status == row.status)
    }
}
