/// A date in HTTP (RFC 9110 §5.6.7), in UTC with a resolution of one second.
package struct HTTPDate: Sendable, Hashable {
    package let secondsSince1970: Int64

    /// Parses any of the three formats:
    ///
    ///     Sun, 06 Nov 1994 08:49:37 GMT     IMF-fixdate
    ///     Sunday, 06-Nov-94 08:49:37 GMT    RFC 850
    ///     Sun Nov  6 08:49:37 1994          asctime
    ///
    /// - Parameters:
    ///   - text: The date and nothing else. The day of the week is not checked.
    ///   - now: The current time in seconds since 1970, to interpret two-digit years.
    /// - Returns: nil for any other format, and for dates and times that do not exist.
    package init?(_ text: some StringProtocol, now: Int64) {
        var reader = Reader(rest: Array(text.utf8)[...])
        guard let seconds = reader.readDate(now: now), reader.rest.isEmpty else { return nil }
        secondsSince1970 = seconds
    }
}

extension HTTPDate {
    /// Reads the date of a response by its sender's clock, from its `Date` field (RFC 9110 §6.6.1); nil unless there is exactly one.
    package init?(sending dates: [String], now: Int64) {
        guard dates.count == 1 else { return nil }
        self.init(dates[0].trimmingOptionalWhitespace, now: now)
    }
}

extension HTTPDate {
    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func readDate(now: Int64) -> Int64? {
            guard let name = readLetters() else { return nil }
            if HTTPDate.days.contains(name), take(", ") { return readFixedDate() }
            if HTTPDate.longDays.contains(name), take(", ") { return readRFC850Date(now: now) }
            if HTTPDate.days.contains(name), take(" ") { return readAsctimeDate() }
            return nil
        }

        private mutating func readFixedDate() -> Int64? {
            guard let day = readNumber(digits: 2), take(" "), let month = readMonth(), take(" "), let year = readNumber(digits: 4),
                take(" "), let time = readTime(), take(" GMT"), let days = HTTPDate.days(toYear: year, month: month, day: day)
            else { return nil }
            return days * 86_400 + time
        }

        private mutating func readRFC850Date(now: Int64) -> Int64? {
            guard let day = readNumber(digits: 2), take("-"), let month = readMonth(), take("-"), let short = readNumber(digits: 2),
                take(" "), let time = readTime(), take(" GMT")
            else { return nil }
            // A date that would be more than 50 years in the future is the most recent past date with the same digits (§5.6.7).
            let thisYear = HTTPDate.year(of: now)
            var year = thisYear - thisYear % 100 + short
            while year > thisYear + 50 { year -= 100 }
            while year + 100 <= thisYear + 50 { year += 100 }
            guard let days = HTTPDate.days(toYear: year, month: month, day: day) else { return nil }
            return days * 86_400 + time
        }

        private mutating func readAsctimeDate() -> Int64? {
            guard let month = readMonth(), take(" "), let day = take(" ") ? readNumber(digits: 1) : readNumber(digits: 2), take(" "),
                let time = readTime(), take(" "), let year = readNumber(digits: 4),
                let days = HTTPDate.days(toYear: year, month: month, day: day)
            else { return nil }
            return days * 86_400 + time
        }

        /// Reads the seconds since midnight. Second 60 is a leap second.
        private mutating func readTime() -> Int64? {
            guard let hour = readNumber(digits: 2), take(":"), let minute = readNumber(digits: 2), take(":"),
                let second = readNumber(digits: 2), hour < 24, minute < 60, second <= 60
            else { return nil }
            return hour * 3600 + minute * 60 + second
        }

        private mutating func readMonth() -> Int64? {
            guard let name = readLetters(), let index = HTTPDate.months.firstIndex(of: name) else { return nil }
            return Int64(index) + 1
        }

        private mutating func readLetters() -> String? {
            let letters = rest.prefix { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
            rest = rest.dropFirst(letters.count)
            return letters.isEmpty ? nil : String(decoding: letters, as: UTF8.self)
        }

        private mutating func readNumber(digits: Int) -> Int64? {
            let text = rest.prefix(digits)
            guard text.count == digits, text.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
            rest = rest.dropFirst(digits)
            return text.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        }

        private mutating func take(_ text: StaticString) -> Bool {
            let expected = text.withUTF8Buffer { Array($0) }
            guard rest.starts(with: expected) else { return false }
            rest = rest.dropFirst(expected.count)
            return true
        }
    }

    private static let days: Set<String> = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let longDays: Set<String> = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let daysBeforeMonth: [Int64] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]

    /// Returns the days since 1 January 1970; nil if the month does not have this day.
    private static func days(toYear year: Int64, month: Int64, day: Int64) -> Int64? {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard day >= 1, day <= lengths[Int(month) - 1] else { return nil }
        return daysBefore(year) + daysBeforeMonth[Int(month) - 1] + (isLeap && month > 2 ? 1 : 0) + day - 1
    }

    /// Returns the days from 1 January 1970 to 1 January of a year.
    private static func daysBefore(_ year: Int64) -> Int64 {
        // Counted from year 1, which began 719,162 days before 1970. The year 0 is a leap year, too.
        let past = year - 1
        return past * 365 + past.dividedDown(by: 4) - past.dividedDown(by: 100) + past.dividedDown(by: 400) - 719_162
    }

    private static func year(of seconds: Int64) -> Int64 {
        let days = seconds.dividedDown(by: 86_400)
        // At most one year off in either direction, because a year has 365.2425 days.
        var year = 1970 + (days * 400).dividedDown(by: 146_097)
        while daysBefore(year) > days { year -= 1 }
        while daysBefore(year + 1) <= days { year += 1 }
        return year
    }
}

extension Int64 {
    fileprivate func dividedDown(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
