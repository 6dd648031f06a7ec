import AuthHubPrimitives
import HTTPTypes
import RawStructuredFieldValues

/// The time for which a server asks the client to send no more requests, because there were too many or the quota is used up.
///
/// These fields are read: `Retry-After` (RFC 9110 §10.2.3) with status 403, 429 and 503; `RateLimit` with `RateLimit-Policy`
/// (draft-ietf-httpapi-ratelimit-headers, both as a list and as the dictionary of its drafts up to 07); `RateLimit-Remaining` with
/// `RateLimit-Reset` of older drafts; and `X-RateLimit-Remaining` with `X-RateLimit-Reset`, which is a time or a delay, depending on the
/// server. The longest pause counts. Values that are malformed, negative or in the past are ignored.
struct ServerPause: Sendable, Hashable {
    let duration: Duration

    /// Reads the pause from a response.
    ///
    /// - Parameters:
    ///   - longest: The maximum pause, whatever the server says.
    ///   - wallClock: The time in seconds since 1970, for dates in a response without a `Date` field.
    /// - Returns: nil if the next request may be sent.
    init?(_ response: HTTPResponse, longest: Duration, wallClock: () -> Int64) {
        let fields = response.headerFields
        var pauses: [Duration] = []
        if [403, 429, 503].contains(response.status.code) {
            pauses += RetryAfter(response, wallClock: wallClock).map { [$0.delay] } ?? []
        }
        pauses += Self.structured(fields)
        pauses += Self.plain(fields, prefix: "RateLimit") { .seconds($0) }
        pauses += Self.plain(fields, prefix: "X-RateLimit") { reset in
            // No server pauses a client for thirty years: such a number is a time since 1970, as GitHub sends it.
            guard reset >= 1_000_000_000 else { return .seconds(reset) }
            let now = wallClock()
            return .seconds(reset - (HTTPDate(sendingOf: response, now: now)?.secondsSince1970 ?? now))
        }
        guard let pause = pauses.max(), pause > .zero, longest > .zero else { return nil }
        duration = min(pause, longest)
    }
}

extension ServerPause {
    /// A quota in a field of the draft.
    private struct Quota {
        var name: String?
        var remaining: Int?
        var reset: Int?
        var window: Int?
    }

    /// Returns the pauses of all policies whose quota is used up.
    private static func structured(_ fields: HTTPFields) -> [Duration] {
        guard let text = fields.value(named: "RateLimit") else { return [] }
        let quotas = listed(text, remaining: "r", reset: "t") ?? dictionary(text).map { [$0] } ?? []
        let policies = fields.value(named: "RateLimit-Policy").flatMap { listed($0, remaining: "q", reset: "t") } ?? []
        return quotas.compactMap { quota in
            guard quota.remaining == 0 else { return nil }
            // Without a reset time, the whole window may have to pass.
            let window = policies.first { $0.name == quota.name }?.window
            return (quota.reset ?? window).map { .seconds(min($0, maximum)) }
        }
    }

    /// `"default";r=0;t=30, "daily";r=900`
    private static func listed(_ text: String, remaining: String, reset: String) -> [Quota]? {
        var parser = StructuredFieldValueParser(Array(text.utf8))
        guard let members = try? parser.parseListFieldValue() else { return nil }
        return members.compactMap { member in
            guard case .item(let item) = member else { return nil }
            var quota = Quota()
            switch item.rfc9651BareItem {
            case .string(let name), .token(let name): quota.name = name
            default: return nil
            }
            quota.remaining = item.rfc9651Parameters[remaining].flatMap { number($0) }
            quota.reset = item.rfc9651Parameters[reset].flatMap { number($0) }
            quota.window = item.rfc9651Parameters["w"].flatMap { number($0) }
            return quota
        }
    }

    /// `limit=100, remaining=0, reset=30`
    private static func dictionary(_ text: String) -> Quota? {
        var parser = StructuredFieldValueParser(Array(text.utf8))
        guard let members = try? parser.parseDictionaryFieldValue() else { return nil }
        func number(_ key: String) -> Int? {
            guard case .item(let item)? = members[key] else { return nil }
            return Self.number(item.rfc9651BareItem)
        }
        return Quota(remaining: number("remaining"), reset: number("reset"))
    }

    private static func number(_ item: RFC9651BareItem) -> Int? {
        guard case .integer(let number) = item, number >= 0 else { return nil }
        return Int(number)
    }

    /// `…-Remaining: 0` with `…-Reset: 30`
    private static func plain(_ fields: HTTPFields, prefix: String, pause: (Int64) -> Duration) -> [Duration] {
        guard fields.value(named: "\(prefix)-Remaining").flatMap({ digits($0) }) == 0,
            let reset = fields.value(named: "\(prefix)-Reset").flatMap({ digits($0) })
        else { return [] }
        return [pause(reset)]
    }

    private static func digits(_ text: String) -> Int64? {
        Int64(digits: text, atMost: Int64(maximum))
    }

    /// Far enough in the future as a time and as a delay, and small enough to calculate with.
    private static let maximum = 1 << 40
}

extension HTTPFields {
    fileprivate func value(named name: String) -> String? {
        HTTPField.Name(name).flatMap { self[$0] }
    }
}
