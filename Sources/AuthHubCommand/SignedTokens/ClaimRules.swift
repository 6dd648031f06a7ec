import AuthHubPrimitives
import Platform

/// The rules for the registered claims of a token with a valid signature (RFC 7519 §4.1).
struct ClaimRules: Sendable {
    /// The issuer that the token must name; nil if none was given.
    let issuer: String?
    /// The client that the token must be for; nil if none was given.
    let clientID: String?
    let now: Date

    /// How far the clocks may differ, in seconds; the same as at sign-in.
    private static let tolerance: Double = 30
    /// Later times cannot be displayed.
    private static let latestTime: Double = 253_402_300_799

    func validate(_ claims: JSONObject) -> [TokenRule] {
        [iss(claims), aud(claims), azp(claims), exp(claims), nbf(claims), iat(claims)].compactMap(\.self)
    }

    /// The kind of the token in its header. A token of another kind could be mistaken for an ID token (RFC 8725 §3.11).
    func validate(type: String?) -> TokenRule {
        guard let type else { return .ok(.typ, "it is missing, which is allowed") }
        // Media types are not case-sensitive, and `application/` may be omitted (RFC 7515 §4.1.9).
        let name = type.lowercased()
        let short = name.hasPrefix("application/") ? name.dropFirst("application/".count) : name[...]
        if short.hasSameBytes(as: "jwt") { return .ok(.typ, "the token is a JSON Web Token") }
        guard short.hasSuffix("+jwt") else { return .failed(.typ, "it is “\(shown(type))”, so the token is not a JSON Web Token") }
        guard clientID == nil else { return .failed(.typ, "it is “\(shown(type))”, so the token is not an ID token") }
        return .ok(.typ, "the token is a JSON Web Token of the kind “\(shown(type))”")
    }

    private func iss(_ claims: JSONObject) -> TokenRule {
        guard let issuer else { return .notChecked(.iss, "add --issuer URL to check it") }
        guard let named = claims["iss"]?.string else { return .failed(.iss, "it is missing or not a string") }
        guard named.hasSameBytes(as: issuer) else { return .failed(.iss, "it is “\(shown(named))”, not “\(shown(issuer))”") }
        return .ok(.iss, "the token is from this issuer")
    }

    private func aud(_ claims: JSONObject) -> TokenRule {
        guard let clientID else { return .notChecked(.aud, "add --client-id ID to check it") }
        guard let audience = audience(claims) else { return .failed(.aud, "it is missing, or neither a string nor an array of strings") }
        guard audience.contains(where: { $0.hasSameBytes(as: clientID) }) else {
            return .failed(.aud, "the token is for \(audience.map { "“\(shown($0))”" }.joined(separator: ", ")), not “\(shown(clientID))”")
        }
        return .ok(.aud, "the token is for this client")
    }

    private func audience(_ claims: JSONObject) -> [String]? {
        switch claims["aud"] {
        case .string(let one): [one]
        case .array(let many): many.compactMap(\.string).count == many.count ? many.compactMap(\.string) : nil
        default: nil
        }
    }

    /// OpenID Connect Core 1.0 §3.1.3.7, steps 4 and 5.
    private func azp(_ claims: JSONObject) -> TokenRule? {
        guard let clientID else { return nil }
        guard let party = claims["azp"], party != .null else {
            guard let audience = audience(claims), audience.count > 1 else { return nil }
            return .failed(.azp, "it is missing, although the token is for several clients")
        }
        guard let party = party.string, party.hasSameBytes(as: clientID) else {
            return .failed(.azp, "the token was issued to another client")
        }
        return .ok(.azp, "the token was issued to this client")
    }

    private func exp(_ claims: JSONObject) -> TokenRule {
        switch time("exp", in: claims) {
        case .missing: .failed(.exp, "it is missing")
        case .invalid: .failed(.exp, "it is not a time in seconds")
        case .date(let date) where date <= now.addingTimeInterval(-Self.tolerance):
            .notNow(.exp, "the token expired \(Words.expiry(date, now: now))")
        case .date(let date) where date <= now:
            .ok(.exp, "the token expired \(Words.expiry(date, now: now)), which is allowed because clocks differ")
        case .date(let date): .ok(.exp, "the token expires \(Words.expiry(date, now: now))")
        }
    }

    private func nbf(_ claims: JSONObject) -> TokenRule {
        switch time("nbf", in: claims) {
        case .missing: .ok(.nbf, "it is missing, so the token has no start time")
        case .invalid: .failed(.nbf, "it is not a time in seconds")
        case .date(let date) where date > now.addingTimeInterval(Self.tolerance):
            .notNow(.nbf, "the token becomes valid \(Words.expiry(date, now: now))")
        case .date(let date): .ok(.nbf, "the token became valid \(Words.expiry(date, now: now))")
        }
    }

    private func iat(_ claims: JSONObject) -> TokenRule {
        switch time("iat", in: claims) {
        case .missing: .ok(.iat, "it is missing")
        case .invalid: .failed(.iat, "it is not a time in seconds")
        case .date(let date) where date > now.addingTimeInterval(Self.tolerance):
            .notNow(.iat, "the token was issued in the future, \(Words.expiry(date, now: now))")
        case .date(let date): .ok(.iat, "the token was issued \(Words.expiry(date, now: now))")
        }
    }

    private enum Time {
        case missing, invalid
        case date(Date)
    }

    private func time(_ name: String, in claims: JSONObject) -> Time {
        switch claims[name] {
        case nil, .null: .missing
        case .number(let number) where number.double.magnitude <= Self.latestTime: .date(Date(timeIntervalSince1970: number.double))
        default: .invalid
        }
    }

    private func shown(_ text: String) -> String { escaped(text, limit: 200) }
}
