import AuthHub
import AuthHubPrimitives
import OAuthProtocol

/// The reason why a command did not succeed: a sentence and the next command for humans, a code and an exit status for programs.
struct Failure: Error, Sendable {
    /// The error code, which is stable and documented in `docs/json-output.md`.
    let code: String
    let exit: ExitStatus
    let message: String
    /// Advice on what to do, usually a command to type; empty if the user needs none.
    let hint: String
    /// The server's own error: `code`, `description` and `status`; nil if there is none.
    private var serverError: JSONObject?

    /// How a sign-in failed whose page may have been shown; nil for all other failures.
    var page: AccessPolicy.PageFailure?

    private static let textLimit = 4000

    init(_ code: String, _ exit: ExitStatus, _ message: String, hint: String, serverError: ServerError? = nil) {
        self.code = code
        self.exit = exit
        self.message = displayable(message, limit: Self.textLimit)
        self.hint = displayable(hint, limit: Self.textLimit)
        self.serverError = serverError?.members
    }

    static func usage(_ message: String, hint: String) -> Self {
        Self("usage", .usage, message, hint: hint)
    }

    static var interrupted: Self {
        Self("interrupted", .interrupted, "interrupted", hint: "run the same command again")
    }

    /// Creates a failure for an account that is not signed in.
    ///
    /// - Parameter detail: Text that follows the message.
    static func notSignedIn(as label: String, _ detail: String = "", hint: String) -> Self {
        Self("sign_in_needed", .signInNeeded, "no one is signed in as “\(label)”\(detail)", hint: hint)
    }

    /// Creates a failure for an account that is signed out here, but whose tokens are not revoked yet.
    ///
    /// - Parameter server: The server, if the command concerns another one.
    static func revocationPending(_ label: String, from server: String? = nil, hint: String) -> Self {
        let place = server.map { " from \($0)" } ?? ""
        return Self(
            "revocation_pending", .failed, "“\(label)” is signed out here, but its tokens\(place) have not been revoked yet", hint: hint)
    }

    static var invalidClientID: Self {
        .usage(
            "the client ID has characters other than printable ASCII, which no server issues (RFC 6749 App. A.1)",
            hint: "copy the whole client ID from the server's page, without “…” or invisible characters")
    }

    static func unknownAccount(_ label: String) -> Self {
        Self("unknown_account", .failed, "there is no account “\(label)”", hint: "authhub accounts list")
    }

    /// Returns the same failure with another hint.
    func hinting(_ hint: String) -> Self {
        var failure = Self(code, exit, message, hint: hint)
        (failure.serverError, failure.page) = (serverError, page)
        return failure
    }

    /// Returns the same failure without secrets that the server repeated.
    func without(_ redaction: Redaction) -> Self {
        var failure = Self(code, exit, redaction.applied(to: message), hint: redaction.applied(to: hint))
        (failure.serverError, failure.page) = (serverError.map { redaction.applied(to: $0) }, page)
        return failure
    }

    var json: JSONValue {
        var object = JSONObject()
        object["code"] = .string(code)
        object["exit"] = .number(JSONNumber(Int64(exit.rawValue)))
        object["message"] = .string(message)
        object["hint"] = .string(hint)
        object["server_error"] = serverError.map(JSONValue.object)
        return .object(object)
    }
}

extension ServerError {
    fileprivate var members: JSONObject {
        var members = JSONObject()
        members["code"] = .string(originalCode)
        members["description"] = explanation.map(JSONValue.string) ?? .null
        members["status"] = status.map { .number(JSONNumber(Int64($0))) } ?? .null
        return members
    }
}
