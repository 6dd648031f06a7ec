import AuthHubPrimitives

/// Why a command did not do what was asked: for people a sentence and the next thing to type, for programs a word and an exit status.
struct Failure: Error, Sendable {
    /// Stable, documented in `docs/json-output.md`.
    let code: String
    let exit: ExitStatus
    let message: String
    /// What to do about it, mostly a command to type.
    let hint: String

    private static let textLimit = 4000

    init(_ code: String, _ exit: ExitStatus, _ message: String, hint: String) {
        self.code = code
        self.exit = exit
        self.message = displayable(message, limit: Self.textLimit)
        self.hint = displayable(hint, limit: Self.textLimit)
    }

    static func usage(_ message: String, hint: String) -> Self {
        Self("usage", .usage, message, hint: hint)
    }

    static var interrupted: Self {
        Self("interrupted", .interrupted, "interrupted", hint: "run the same command again")
    }

    /// - Parameter detail: Follows the message.
    static func notSignedIn(as label: String, _ detail: String = "", hint: String) -> Self {
        Self("sign_in_needed", .signInNeeded, "no one is signed in as “\(label)”\(detail)", hint: hint)
    }

    static func unknownAccount(_ label: String) -> Self {
        Self("unknown_account", .failed, "there is no account “\(label)”", hint: "authhub accounts list")
    }

    var json: JSONValue {
        [
            "code": .string(code), "exit": .number(JSONNumber(Int64(exit.rawValue))), "message": .string(message), "hint": .string(hint),
        ]
    }
}
