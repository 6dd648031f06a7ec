import AuthHubPrimitives
import Testing

struct HTTPDateTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let seconds: Int64?

        init(_ testDescription: String, _ text: String, _ seconds: Int64?) {
            self.testDescription = testDescription
            self.text = text
            self.seconds = seconds
        }
    }

    /// 14 November 2023, 22:13:20.
    private static let now: Int64 = 1_700_000_000

    @Test(arguments: [
        Row("RFC 9110 §5.6.7: IMF-fixdate", "Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        Row("RFC 9110 §5.6.7: RFC 850", "Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        Row("RFC 9110 §5.6.7: asctime", "Sun Nov  6 08:49:37 1994", 784_111_777),
        Row("asctime with a two-digit day", "Wed Nov 16 08:49:37 1994", 784_975_777),
        Row("the start of the epoch", "Thu, 01 Jan 1970 00:00:00 GMT", 0),
        Row("a second before the epoch", "Wed, 31 Dec 1969 23:59:59 GMT", -1),
        Row("a leap day", "Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000),
        Row("the day after a leap day", "Fri, 01 Mar 2024 00:00:00 GMT", 1_709_251_200),
        Row("the leap day of a century divisible by 400", "Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
        Row("the last day of a leap year", "Tue, 31 Dec 2024 23:59:59 GMT", 1_735_689_599),
        Row("the last representable second", "Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        Row("the year 0", "Sat, 01 Jan 0000 00:00:00 GMT", -62_167_219_200),
        Row("a leap second", "Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
        Row("the wrong day of the week", "Mon, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        Row("two digits: 50 years ahead", "Saturday, 06-Nov-73 08:49:37 GMT", 3_277_183_777),
        Row("two digits: 51 years would be ahead", "Wednesday, 06-Nov-74 08:49:37 GMT", 152_959_777),
        Row("two digits: this century", "Monday, 01-Jan-24 00:00:00 GMT", 1_704_067_200),
        Row("29 February in a common year", "Wed, 29 Feb 2023 12:00:00 GMT", nil),
        Row("29 February 1900", "Thu, 29 Feb 1900 12:00:00 GMT", nil),
        Row("31 April", "Sun, 31 Apr 2024 12:00:00 GMT", nil),
        Row("day 0", "Sun, 00 Nov 1994 08:49:37 GMT", nil),
        Row("hour 24", "Sun, 06 Nov 1994 24:00:00 GMT", nil),
        Row("minute 60", "Sun, 06 Nov 1994 08:60:00 GMT", nil),
        Row("second 61", "Sun, 06 Nov 1994 08:49:61 GMT", nil),
        Row("another zone", "Sun, 06 Nov 1994 08:49:37 UTC", nil),
        Row("an offset", "Sun, 06 Nov 1994 08:49:37 +0000", nil),
        Row("no zone", "Sun, 06 Nov 1994 08:49:37", nil),
        Row("something after it", "Sun, 06 Nov 1994 08:49:37 GMT+1", nil),
        Row("a one-digit day", "Sun, 6 Nov 1994 08:49:37 GMT", nil),
        Row("small letters", "sun, 06 nov 1994 08:49:37 gmt", nil),
        Row("an unknown month", "Sun, 06 Nox 1994 08:49:37 GMT", nil),
        Row("a sign", "Sun, +6 Nov 1994 08:49:37 GMT", nil),
        Row("digits of another script", "Sun, 0\u{666} Nov 1994 08:49:37 GMT", nil),
        Row("a long name before a fixed date", "Sunday, 06 Nov 1994 08:49:37 GMT", nil),
        Row("a number", "784111777", nil),
        Row("ISO 8601", "1994-11-06T08:49:37Z", nil),
        Row("nothing", "", nil),
        Row("cut off", "Sun, 06 Nov", nil),
    ])
    func `parses a date in the three forms of HTTP, and in no other`(row: Row) {
        #expect(HTTPDate(row.text, now: Self.now)?.secondsSince1970 == row.seconds)
    }

    @Test func `each day of two centuries is one day after the one before`() {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        var days: [Int64] = []
        for year in 1899...2101 {
            for month in months {
                days += (1...31).compactMap { day in
                    HTTPDate("Sun, \(day < 10 ? "0" : "")\(day) \(month) \(year) 00:00:00 GMT", now: Self.now)?.secondsSince1970
                }
            }
        }
        #expect(zip(days, days.dropFirst()).filter { $1 - $0 != 86_400 }.isEmpty)
        #expect(days.first == -2_240_524_800 && days.last == 4_165_430_400)
    }
}
