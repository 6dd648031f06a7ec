import AniListAPI
import AuthHub
import CredentialStorage
import GitHubAPI
import HTTPLoading
import OAuthProtocol
import WebAuthentication

extension Failure {
    /// Creates a failure from a session's error.
    ///
    /// - Parameter login: The command that signs in again.
    init(_ error: SessionError, login: String = "authhub login") {
        if let serverError = error.serverError, [.denied, .serverRejected].contains(error.code) {
            self.init(serverError, login: login)
            return
        }
        switch error.code {
        case .cancelledByPerson:
            let ignored = (error.underlying as? WebAuthenticationError)?.ignored.map { "; \($0)" } ?? ""
            self.init("cancelled", .cancelled, "the sign-in was cancelled\(ignored)", hint: login)
        // If the cause was a signal, that is reported.
        case .cancelledByProgram: self.init("ended_elsewhere", .failed, error.explanation, hint: login)
        case .denied: self.init("denied", .denied, "access was denied: \(error.explanation)", hint: "\(login), and allow the access")
        case .timedOut:
            self.init("timed_out", .timedOut, "not done in time: \(error.explanation)", hint: "\(login) --timeout SECONDS")
        case .signInNeeded: self.init("sign_in_needed", .signInNeeded, error.explanation, hint: login, serverError: error.serverError)
        case .cannotSignInHere where (error.underlying as? WebAuthenticationError)?.code == .cannotReceive:
            self.init(
                "cannot_sign_in_here", .failed, error.explanation, hint: "put that right and run the same command again; authhub help login"
            )
        case .cannotSignInHere:
            self.init(
                "cannot_sign_in_here", .failed, error.explanation,
                hint: "\(login) --browser CMD, or --browser none to open the page by hand on this machine")
        case .serverRejected:
            self.init("server_rejected", .failed, "the server rejected the request: \(error.explanation)", hint: login)
        case .serverMisbehaved:
            self.init(
                "server_misbehaved", .failed, "the server's response cannot be used: \(error.explanation)",
                hint: "check the issuer's address; if it is right, tell the people who run the server")
        case .securityCheckFailed:
            self.init(
                "security_check_failed", .securityCheckFailed, "a security check failed, nothing was accepted: \(error.explanation)",
                hint: "\(login); if it happens again, tell the people who run the server")
        case .unreachable where [.temporarilyUnavailable, .slowDown].contains(error.serverError?.code):
            self.init(
                "try_again", .tryAgain, "the server is busy (\(error.explanation))", hint: "run the same command again in a while",
                serverError: error.serverError)
        case .unreachable where error.serverError != nil:
            self.init(
                "unreachable", .unreachable, "the server has a problem at the moment (\(error.explanation))",
                hint: "run the same command again in a while; if it stays, tell the people who run the server",
                serverError: error.serverError)
        case .unreachable:
            self.init(
                "unreachable", .unreachable, "no usable response: \(error.explanation)",
                hint: "check the network and that the server runs, then run the same command again")
        case .storeFailed:
            if let cause = error.underlying as? CredentialStoreError {
                self.init(cause)
                guard error.refreshTokenIsSpent else { return }
                // Not a status that scripts interpret as "run it again": the stored refresh token has been used.
                let isTemporary = exit != .storeFailed
                self.init(
                    isTemporary ? "store_failed" : code, .storeFailed,
                    "\(message); the server has already replaced the refresh token, and the new one is lost",
                    hint: "put that right, then sign in again: \(login)")
            } else {
                self.init("store_failed", .storeFailed, error.explanation, hint: login)
            }
        default:
            self.init("misconfigured", .failed, error.explanation, hint: "authhub help login")
        }
    }

    init(_ error: CredentialStoreError) {
        switch error.code {
        case .leaseHeld:
            self.init("try_again", .tryAgain, error.explanation, hint: "run the same command again in a while")
        case .cancelled:
            self.init("interrupted", .interrupted, "interrupted", hint: "run the same command again")
        case .corrupt where error.isOfChoice:
            self.init(
                "store_failed", .storeFailed, "the credential store: \(error.explanation)",
                hint: "put that right and run the same command again; authhub store info tells how each store stands")
        case .corrupt, .rolledBack:
            self.init(
                "store_failed", .storeFailed, "the credential store: \(error.explanation)",
                hint: "authhub store info tells how the store stands; authhub logout forgets an account whose record is damaged")
        case .keyMissing:
            self.init(
                "store_key_missing", .storeFailed, "the credential store: \(error.explanation)",
                hint: "nothing was changed; authhub store info tells where the key has to come from")
        case .full:
            self.init(
                "store_full", .storeFailed, "the credential store (full): \(error.explanation)",
                hint: "make room, and run the same command again")
        case .locked:
            self.init(
                "store_locked", .storeFailed, "the credential store is locked: \(error.explanation)",
                hint: "unlock it, and run the same command again")
        case .dismissed:
            self.init(
                "store_dismissed", .cancelled, "the credential store was not unlocked: \(error.explanation)",
                hint: "run the same command again and give the password, or keep tokens elsewhere with --store file")
        case .timedOut:
            self.init(
                "store_timed_out", .storeFailed, "the credential store does not answer: \(error.explanation)",
                hint: "run the same command again in a while; authhub store info tells how each store stands")
        case .unavailable:
            self.init(
                "store_unavailable", .storeFailed, "the credential store is not there: \(error.explanation)",
                hint: "authhub store info tells how each store stands; --store names another one")
        default:
            self.init(
                "store_failed", .storeFailed, "the credential store (\(error.code)): \(error.explanation)",
                hint: "put that right and run the same command again")
        }
    }

    init(_ error: LoadError, login: String = "authhub login") {
        if let cause = error.underlying as? SessionError {
            self.init(cause, login: login)
            return
        }
        switch error.code {
        case .cancelled: self.init("interrupted", .interrupted, "interrupted", hint: "run the same command again")
        case .invalidRequest:
            self.init("usage", .usage, error.explanation ?? error.description, hint: "authhub help request")
        case .timedOut:
            self.init("timed_out", .timedOut, error.description, hint: "run the same command again")
        case .tooLarge, .redirectRefused:
            self.init("server_misbehaved", .failed, error.description, hint: "check the address")
        default:
            self.init(
                "unreachable", .unreachable, error.description,
                hint: "check the network and that the server runs, then run the same command again")
        }
    }

    /// Creates a failure from an error of AniList's API.
    ///
    /// - Parameter account: The option that names the account, with a space before it; empty for the default account.
    init(_ error: AniListError, account: String = "") {
        let login = "authhub login" + account
        if let cause = error.underlying {
            self.init(cause, login: login)
            return
        }
        switch error.code {
        case .notSignedIn: self.init("sign_in_needed", .signInNeeded, error.explanation, hint: login)
        case .rateLimited:
            let wait = error.retryAfter.map { "run the same command again in \(Words.duration(Double($0)))" }
            self.init("try_again", .tryAgain, error.explanation, hint: wait ?? "run the same command again in a while")
        default: self.init("api_failed", .failed, error.explanation, hint: "authhub status" + account)
        }
    }

    /// Creates a failure from an error of GitHub's API.
    ///
    /// - Parameter account: The option that names the account, with a space before it; empty for the default account.
    init(_ error: GitHubError, account: String = "") {
        let login = "authhub login" + account
        if let cause = error.underlying {
            self.init(cause, login: login)
            return
        }
        switch error.code {
        case .notSignedIn: self.init("sign_in_needed", .signInNeeded, error.explanation, hint: login)
        case .forbidden:
            self.init("denied", .denied, error.explanation, hint: "\(login) --scope with what is missing, such as repo")
        case .rateLimited:
            let wait = error.retryAfter.map { "run the same command again in \(Words.duration(Double($0)))" }
            self.init("try_again", .tryAgain, error.explanation, hint: wait ?? "run the same command again in a while")
        default: self.init("api_failed", .failed, error.explanation, hint: "authhub status" + account)
        }
    }
}
