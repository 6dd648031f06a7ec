import AuthHubPrimitives
import Platform

/// Claims and header parameters as lines of text, safe for a terminal.
enum ClaimText {
    private static let times: Set<String> = ["exp", "nbf", "iat", "auth_time", "updated_at"]
    /// Times outside of the years that can be displayed remain numbers.
    private static let latestTime: Double = 253_402_300_799
    private static let nameLimit = 100
    private static let valueLimit = 1000

    /// Returns a name and a value for each member. Each is on one line: line breaks are escaped.
    static func facts(_ members: JSONObject, without redaction: Redaction = Redaction([]), now: Date) -> [(name: String, value: String)] {
        members.members.map { member in
            (
                escaped(redaction.appliedIgnoringInvisible(member.name), limit: nameLimit),
                escaped(redaction.appliedIgnoringInvisible(text(member, now: now)), limit: valueLimit)
            )
        }
    }

    private static func text(_ member: JSONObject.Member, now: Date) -> String {
        switch member.value {
        case .string(let text), .repairedString(let text): return text
        case .number(let number) where times.contains(member.name) && number.double.magnitude <= latestTime:
            return "\(number.text), \(Words.expiry(Date(timeIntervalSince1970: number.double), now: now))"
        default: return String(decoding: member.value.serialized(), as: UTF8.self)
        }
    }
}
