import AuthHubPrimitives
import OAuthProtocol
import Platform

/// The rules for the registered claims of a token with a valid signature, each with its outcome (RFC 7519 §4.1). The rules are those of the
/// library; this type only reports which of them the token meets.
struct ClaimRules: Sendable {
    /// The issuer that the token must name; nil if none was given.
    let issuer: String?
    /// The client that the token must be for; nil if none was given.
    let clientID: String?
    let now: Date

    func validate(_ claims: JSONObject) -> [TokenRule] {
        let reader = ClaimsReader(claims: claims)
        return [iss(reader), aud(reader), azp(reader)].compactMap(\.self) + times(reader)
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

    private func iss(_ reader: ClaimsReader) -> TokenRule {
        guard let issuer else { return .notChecked(.iss, "add --issuer URL to check it") }
        return rule(.iss, "the token is from this issuer") { () throws(ClaimProblem) in try reader.checkIssuer(is: issuer) }
    }

    private func aud(_ reader: ClaimsReader) -> TokenRule {
        guard let clientID else { return .notChecked(.aud, "add --client-id ID to check it") }
        return rule(.aud, "the token is for this client") { () throws(ClaimProblem) in
            try reader.checkAudience(reader.audience(), contains: clientID)
        }
    }

    /// nil if the token need not name the party that it was issued to.
    private func azp(_ reader: ClaimsReader) -> TokenRule? {
        guard let clientID, let audience = try? reader.audience() else { return nil }
        let isNamed = (try? reader.text("azp")) != nil
        let rule = rule(.azp, "the token was issued to this client") { () throws(ClaimProblem) in
            try reader.checkAuthorizedParty(of: audience, is: clientID)
        }
        return isNamed || rule.outcome == .failed ? rule : nil
    }

    private func times(_ reader: ClaimsReader) -> [TokenRule] {
        let start = time("nbf", reader).map { "the token became valid \(words($0))" }
        let issue = time("iat", reader).map { "the token was issued \(words($0))" }
        return [
            rule(.exp, time("exp", reader).map(expiry) ?? "") { () throws(ClaimProblem) in
                try reader.checkExpiry(at: now, tolerance: Self.tolerance)
            },
            rule(.nbf, start ?? "it is missing, so the token has no start time") { () throws(ClaimProblem) in
                try reader.checkStart(at: now, tolerance: Self.tolerance)
            },
            rule(.iat, issue ?? "it is missing") { () throws(ClaimProblem) in
                try reader.checkTimeOfIssue(at: now, tolerance: Self.tolerance)
            },
        ]
    }

    /// How far the clocks may differ, in seconds: that of a provider without quirks.
    private static let tolerance = ProviderQuirks.IdentityQuirks().clockTolerance
    /// Later times cannot be displayed.
    private static let latestTime: Double = 253_402_300_799

    /// Returns the outcome of a rule.
    ///
    /// - Parameter reason: The reason that the token meets the rule.
    private func rule(_ name: TokenRule.Name, _ reason: String, _ check: () throws(ClaimProblem) -> Void) -> TokenRule {
        do throws(ClaimProblem) {
            try check()
            return .ok(name, reason)
        } catch {
            return error.isAboutTime ? .notNow(name, error.explanation) : .failed(name, error.explanation)
        }
    }

    private func expiry(_ date: Date) -> String {
        date <= now ? "the token expired \(words(date)), which is allowed because clocks differ" : "the token expires \(words(date))"
    }

    private func time(_ name: String, _ reader: ClaimsReader) -> Date? { (try? reader.optionalTime(name)) ?? nil }

    private func words(_ date: Date) -> String {
        date.timeIntervalSince1970.magnitude <= Self.latestTime ? Words.expiry(date, now: now) : "at a time that cannot be displayed"
    }

    private func shown(_ text: String) -> String { escaped(text, limit: 200) }
}
