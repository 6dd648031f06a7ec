import AuthHubPrimitives

/// A rule for a token, and whether the token meets it.
struct TokenRule: Sendable, Equatable {
    enum Name: String, Sendable {
        case signature, typ, iss, aud, azp, exp, nbf, iat

        /// Whether the token is valid at this time, rather than who issued it and for whom.
        var isAboutTime: Bool { [.exp, .nbf, .iat].contains(self) }
    }

    enum Outcome: String, Sendable {
        case ok, failed
        case notChecked = "not_checked"
    }

    let name: Name
    let outcome: Outcome
    /// Why; safe to display.
    let reason: String

    static func ok(_ name: Name, _ reason: String) -> Self { Self(name: name, outcome: .ok, reason: reason) }
    static func failed(_ name: Name, _ reason: String) -> Self { Self(name: name, outcome: .failed, reason: reason) }
    static func notChecked(_ name: Name, _ reason: String) -> Self { Self(name: name, outcome: .notChecked, reason: reason) }

    var json: JSONValue {
        ["rule": .string(name.rawValue), "outcome": .string(outcome.rawValue), "reason": .string(reason)]
    }
}
