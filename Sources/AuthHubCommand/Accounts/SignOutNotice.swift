import AuthHub
import AuthHubPrimitives
import HTTPLoading

/// The result of signing out of an account, human-readable and machine-readable.
struct SignOutNotice: Sendable {
    enum Revocation: String, Sendable {
        case done
        case notOffered = "not_offered"
        case notNeeded = "not_needed"
        case notPossible = "not_possible"
        case notAsked = "not_asked"
    }

    let label: String
    let revocation: Revocation
    let text: String
    var serverSession = SignOutReport.ServerSession.notAsked
    /// The command that signs in to the account again; nil if it is unknown.
    var login: String?
    /// The command that helps if only the label is wrong; nil if there is none.
    var next: String?
}

extension SignOutNotice {
    /// - Parameter hasOthers: Whether there are accounts under other labels.
    static func notSignedIn(_ label: String, hasOthers: Bool = false) -> Self {
        var notice = Self(label: label, revocation: .notNeeded, text: "No one was signed in as “\(label)”")
        if hasOthers { notice.next = "authhub accounts" }
        return notice
    }

    static func damagedSettings(_ label: String) -> Self {
        Self(label: label, revocation: .notPossible, text: "Removed the damaged settings of “\(label)”; no token was revoked")
    }

    static func withoutSettings(_ label: String) -> Self {
        Self(
            label: label, revocation: .notPossible,
            text: "Deleted the tokens of “\(label)”, which had no settings; none of them was revoked")
    }

    static func notAsked(_ label: String, of settings: AccountSettings) -> Self {
        Self(
            label: label, revocation: .notAsked, text: "Removed “\(label)” here; its tokens stay valid at the server until they expire",
            login: LoginCommandLine(settings: settings, label: label).text)
    }

    /// Returns the server's result, or the reason why it could not be notified, which is a failure even though the account was deleted
    /// here.
    ///
    /// - Parameters:
    ///   - server: The settings of the account that was signed out.
    ///   - isUnfinished: Whether another sign-out would revoke the tokens.
    static func of(
        _ revocation: SignOutReport.Revocation, label: String, at server: AccountSettings, isUnfinished: Bool
    ) -> Result<Self, Failure> {
        let login = LoginCommandLine(settings: server, label: label).text
        switch revocation {
        case .done:
            return .success(
                Self(label: label, revocation: .done, text: "Signed out “\(label)”; the server confirmed the revocation", login: login))
        case .notOffered:
            return .success(
                Self(
                    label: label, revocation: .notOffered,
                    text: "Signed out “\(label)”; the server offers no revocation, so the tokens stay valid until they expire",
                    login: login))
        case .notNeeded:
            var notice = Self.notSignedIn(label)
            notice.login = login
            return .success(notice)
        case .failed(let error):
            let cause = Failure(error)
            return .failure(
                Failure(
                    "not_revoked", cause.exit,
                    "signed out “\(label)” on this machine, but the tokens may stay valid at the server: \(cause.message)",
                    hint: advice(label, at: server, isUnfinished: isUnfinished)))
        }
    }

    private static func advice(_ label: String, at server: AccountSettings, isUnfinished: Bool) -> String {
        let again = "when the server can be reached: \(command(for: label))"
        // A server on this machine is a development server, without a website to revoke the access on.
        if (try? server.profile())?.isOnLoopback ?? false {
            return isUnfinished ? again : "nothing is left to do; a development server that is stopped usually loses its tokens"
        }
        return isUnfinished ? "\(again); or revoke the access on the server's website" : "revoke the access on the server's website"
    }

    /// Returns the command that revokes the remaining tokens.
    static func command(for label: String) -> String {
        "authhub logout" + AccountOptions.suffix(label)
    }

    var json: JSONValue {
        var object = JSONObject()
        object["account"] = .string(label)
        object["signed_in"] = false
        object["revocation"] = .string(revocation.rawValue)
        object["server_session"] = serverSession.word.map { .string($0) }
        return .object(object)
    }

    func tell(_ console: Console) {
        switch console.format {
        case .json: console.put(json)
        case .text:
            console.say(text)
            if case .ended = serverSession { console.say("Your browser has returned from the server's sign-out page") }
            if case .notOffered = serverSession { console.say("The server has no sign-out page for your browser's session") }
            if let next { console.say("  \(console.style("next:", .cyan)) \(next)") }
            if let login { console.say("To sign in again: \(TerminalText.quoted(login))") }
        }
    }
}

extension SessionError {
    /// Whether a server on this machine refused the connection to its http URL, which only development servers have. Such a server was
    /// stopped, usually for good, and its tokens are lost with it.
    var isFromStoppedDevelopmentServer: Bool {
        guard code == .unreachable, let cause = underlying as? LoadError, cause.code == .cannotConnect else { return false }
        return cause.origin.map { $0.isLoopback && $0.scheme == "http" } ?? false
    }
}

extension SignOutReport.ServerSession {
    /// The machine-readable output; nil if there is none.
    fileprivate var word: String? {
        switch self {
        case .notAsked: nil
        case .notOffered: "not_offered"
        case .ended: "ended"
        case .cancelled: "cancelled"
        case .failed: "failed"
        }
    }
}
