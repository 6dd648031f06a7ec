import HTTPTypes
import Testing

@testable import HTTPLoading

struct ServerPauseTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var status = 200
        let fields: [(String, String)]
        /// The pause in seconds.
        let pause: Int?
    }

    /// Sun, 06 Nov 1994 08:49:37 GMT
    private static let now: Int64 = 784_111_777

    @Test(arguments: [
        Row(testDescription: "no header field", status: 429, fields: [], pause: nil),
        Row(testDescription: "Retry-After of a 429", status: 429, fields: [("Retry-After", "120")], pause: 120),
        Row(
            testDescription: "Retry-After of a 503, as a date", status: 503, fields: [("Retry-After", "Sun, 06 Nov 1994 08:50:37 GMT")],
            pause: 60),
        Row(
            testDescription: "Retry-After of a 403, as in GitHub's secondary limits", status: 403, fields: [("Retry-After", "60")],
            pause: 60),
        Row(
            testDescription: "Retry-After of a redirect applies to the redirect", status: 301, fields: [("Retry-After", "120")], pause: nil),
        Row(testDescription: "Retry-After of a success", fields: [("Retry-After", "120")], pause: nil),
        Row(testDescription: "Retry-After of nothing", status: 429, fields: [("Retry-After", "0")], pause: nil),
        Row(testDescription: "a date in the past", status: 429, fields: [("Retry-After", "Sun, 06 Nov 1994 08:40:37 GMT")], pause: nil),
        Row(testDescription: "case 35: a day is capped", status: 429, fields: [("Retry-After", "86400")], pause: 3600),
        Row(testDescription: "case 35: negative", status: 429, fields: [("Retry-After", "-5")], pause: nil),
        Row(testDescription: "case 35: garbage", status: 429, fields: [("Retry-After", "soon")], pause: nil),
        Row(testDescription: "case 35: huge", status: 429, fields: [("Retry-After", String(repeating: "9", count: 40))], pause: 3600),

        Row(testDescription: "RateLimit with a remainder", fields: [("RateLimit", #""default";r=50;t=30"#)], pause: nil),
        Row(testDescription: "RateLimit exhausted", fields: [("RateLimit", #""default";r=0;t=30"#)], pause: 30),
        Row(testDescription: "RateLimit as a token", fields: [("RateLimit", "default;r=0;t=30")], pause: 30),
        Row(testDescription: "one of two policies exhausted", fields: [("RateLimit", #""burst";r=4;t=900, "daily";r=0;t=40"#)], pause: 40),
        Row(
            testDescription: "two exhausted: the longer",
            fields: [("RateLimit", #""burst";r=0;t=9"#), ("RateLimit", #""daily";r=0;t=40"#)],
            pause: 40),
        Row(
            testDescription: "without a reset: the window of the policy with that name",
            fields: [("RateLimit", #""b";r=0"#), ("RateLimit-Policy", #""a";q=10;w=60, "b";q=1;w=20"#)], pause: 20),
        Row(
            testDescription: "without a reset and a window", fields: [("RateLimit", #""b";r=0"#), ("RateLimit-Policy", #""a";q=10;w=60"#)],
            pause: nil),
        Row(testDescription: "with a partition key", fields: [("RateLimit", #""b";r=0;t=7;pk=:c2VjcmV0:"#)], pause: 7),
        Row(testDescription: "as in the drafts up to 07", fields: [("RateLimit", "limit=100, remaining=0, reset=50")], pause: 50),
        Row(testDescription: "the same with a remainder", fields: [("RateLimit", "limit=100, remaining=1, reset=50")], pause: nil),
        Row(testDescription: "negative parameters", fields: [("RateLimit", #""b";r=0;t=-30"#)], pause: nil),
        Row(testDescription: "a negative remainder", fields: [("RateLimit", #""b";r=-1;t=30"#)], pause: nil),
        Row(testDescription: "a decimal reset", fields: [("RateLimit", #""b";r=0;t=1.5"#)], pause: nil),
        Row(testDescription: "a huge reset", fields: [("RateLimit", #""b";r=0;t=999999999999999"#)], pause: 3600),
        Row(testDescription: "an invalid number", fields: [("RateLimit", #""b";r=0;t=9999999999999999"#)], pause: nil),
        Row(testDescription: "an inner list", fields: [("RateLimit", #"("b" "c");r=0;t=30"#)], pause: nil),
        Row(testDescription: "garbage", fields: [("RateLimit", "\"never ending")], pause: nil),
        Row(testDescription: "empty", fields: [("RateLimit", "")], pause: nil),

        Row(testDescription: "RateLimit-Remaining", fields: [("RateLimit-Remaining", "0"), ("RateLimit-Reset", "25")], pause: 25),
        Row(
            testDescription: "the same with a remainder", fields: [("RateLimit-Remaining", "3"), ("RateLimit-Reset", "25")], pause: nil),
        Row(testDescription: "without a reset", fields: [("RateLimit-Remaining", "0")], pause: nil),

        Row(
            testDescription: "X-RateLimit with a time",
            fields: [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1000000090"), ("Date", "Sun, 09 Sep 2001 01:46:40 GMT")],
            pause: 90),
        Row(
            testDescription: "the same on a 429", status: 403,
            fields: [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1000000009"), ("Date", "Sun, 09 Sep 2001 01:46:40 GMT")],
            pause: 9),
        Row(
            testDescription: "the same with a remainder",
            fields: [("X-RateLimit-Remaining", "1"), ("X-RateLimit-Reset", "1000000090"), ("Date", "Sun, 09 Sep 2001 01:46:40 GMT")],
            pause: nil),
        Row(
            testDescription: "a time in the past",
            fields: [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1000000000"), ("Date", "Sun, 09 Sep 2001 01:46:41 GMT")],
            pause: nil),
        Row(testDescription: "X-RateLimit with a delay", fields: [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "15")], pause: 15),
        Row(
            testDescription: "a time that is far away by our clock",
            fields: [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1893456000")], pause: 3600),
        Row(testDescription: "negative", fields: [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "-15")], pause: nil),
        Row(testDescription: "a negative remainder", fields: [("X-RateLimit-Remaining", "-1"), ("X-RateLimit-Reset", "15")], pause: nil),
        Row(testDescription: "garbage", fields: [("X-RateLimit-Remaining", "none"), ("X-RateLimit-Reset", "15")], pause: nil),
        Row(
            testDescription: "huge", fields: [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", String(repeating: "9", count: 30))],
            pause: 3600),
        Row(
            testDescription: "twice",
            fields: [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "15")], pause: nil),

        Row(
            testDescription: "several header fields: the longest", status: 429,
            fields: [("Retry-After", "5"), ("RateLimit", #""b";r=0;t=8"#), ("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "7")],
            pause: 8),
    ])
    func `pauses as long as the server says, within the limit, and not at all for invalid values`(row: Row) throws {
        var fields = HTTPFields()
        for (name, value) in row.fields { fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value)) }
        let response = HTTPResponse(status: .init(code: row.status), headerFields: fields)
        let pause = ServerPause(response, longest: .seconds(3600)) { Self.now }
        #expect(pause?.duration == row.pause.map { .seconds($0) })
        #expect(ServerPause(response, longest: .zero) { Self.now } == nil)
    }
}
