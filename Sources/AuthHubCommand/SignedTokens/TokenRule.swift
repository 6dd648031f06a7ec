import AuthHubPrimitives

/// A rule for a token, and whether the token meets it.
struct TokenRule: Sendable, Equatable {
    enum Name: String, Sendable {
        case signature, typ, iss, aud, azp, exp, nbf, iat
    }

    enum Outcome: String, Sendable {
        case ok, failed
        case notChecked = "not_checked"
    }

    let name: Name
    let outcome: Outcome
    /// Whether the rule failed only because of the current time.
    var isAboutTime = false
    /// The reason for the outcome; safe to display.
    let reason: String

    static func ok(_ name: Name, _ reason: String) -> Self { Self(name: name, outcome: .ok, reason: reason) }
    static func failed(_ name: Name, _ reason: String) -> Self { Self(name: name, outcome: .failed, reason: reason) }
    /// Creates a rule that failed because of the current time.
    static func notNow(_ name: Name, _ reason: String) -> Self {
        Self(name: name, outcome: .failed, isAboutTime: true, reason: reason)
    }
    static func notChecked(_ name: Name, _ reason: String) -> Self { Self(name: name, outcome: .notChecked, reason: reason) }

    var json: JSONValue {
        ["rule": .string(name.rawValue), "outcome": .string(outcome.rawValue), "reason": .string(reason)]
    }
}
