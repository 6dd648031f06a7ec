import AuthHubTesting
import HTTPTypes
import Testing

@testable import HTTPLoading

struct RetryAfterTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let retryAfter: [String]
        var date: String?
        let decision: RetryDecision

        init(_ testDescription: String, _ retryAfter: [String], date: String? = nil, _ decision: RetryDecision) {
            self.testDescription = testDescription
            self.retryAfter = retryAfter
            self.date = date
            self.decision = decision
        }
    }

    /// The pause from the backoff only.
    private static let backoff = RetryDecision.after(.seconds(2))

    @Test(arguments: [
        Row("no field", [], backoff),
        Row("case 35: seconds", ["7"], .after(.seconds(7))),
        Row("case 35: seconds with white space", [" 7\t"], .after(.seconds(7))),
        Row("case 35: fewer seconds than the backoff", ["1"], backoff),
        Row("case 35: zero", ["0"], backoff),
        Row("case 35: as long as allowed", ["60"], .after(.seconds(60))),
        Row("case 35: longer than allowed", ["61"], .stop),
        Row("case 35: a day", ["86400"], .stop),
        Row("case 35: too large to represent", ["99999999999999999999999"], .stop),
        Row("case 35: the largest number", ["9223372036854775807"], .stop),
        Row("case 35: negative", ["-5"], backoff),
        Row("case 35: a fraction", ["1.5"], backoff),
        Row("case 35: a plus sign", ["+7"], backoff),
        Row("case 35: garbage", ["soon"], backoff),
        Row("case 35: empty", [""], backoff),
        Row("case 35: digits of another script", ["\u{667}"], backoff),
        Row("case 35: two values", ["7", "9"], backoff),
        Row("case 35: two values in one field", ["7, 9"], backoff),
        Row(
            "case 35: a date by the server's clock", ["Sun, 06 Nov 1994 08:49:47 GMT"], date: "Sun, 06 Nov 1994 08:49:37 GMT",
            .after(.seconds(10))),
        Row(
            "case 35: dates in the obsolete formats", ["Sunday, 06-Nov-94 08:49:47 GMT"], date: "Sun Nov  6 08:49:37 1994",
            .after(.seconds(10))),
        Row("case 35: a date by our clock", ["Tue, 14 Nov 2023 22:13:50 GMT"], .after(.seconds(30))),
        Row("case 35: a date next to an invalid Date", ["Tue, 14 Nov 2023 22:13:50 GMT"], date: "today", .after(.seconds(30))),
        Row("case 35: a date in the past", ["Tue, 14 Nov 2023 22:13:10 GMT"], backoff),
        Row("case 35: a date tomorrow", ["Wed, 15 Nov 2023 22:13:20 GMT"], .stop),
        Row("case 35: the last date", ["Fri, 31 Dec 9999 23:59:59 GMT"], .stop),
    ])
    func `the pause is at least as long as the server requests, up to a limit`(row: Row) throws {
        var response = HTTPResponse(status: .serviceUnavailable)
        for value in row.retryAfter { response.headerFields.append(HTTPField(name: .retryAfter, value: value)) }
        response.headerFields[.date] = row.date
        var schedule = RetrySchedule(
            RetryPolicy(backoff: .constant(.seconds(2))), using: SeededGenerator(seed: 0), wallClock: { 1_700_000_000 })
        let attempt = FinishedAttempt(
            request: try .get("https://api.example.com/"), outcome: .success(response), number: 1, elapsed: .zero)
        #expect(schedule.decide(after: attempt) == row.decision)
    }
}
