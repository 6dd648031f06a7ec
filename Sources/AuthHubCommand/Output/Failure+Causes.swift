import AniListAPI
import AuthHub
import AuthHubPrimitives
import CredentialStorage
import GitHubAPI
import HTTPLoading
import OAuthProtocol
import WebAuthentication

extension Failure {
    /// Creates a failure from a session's error.
    ///
    /// - Parameters:
    ///   - login: The command that signs in again.
    ///   - timeout: How many seconds to give the user then.
    init(_ error: SessionError, login: String = "authhub login", timeout: String = "SECONDS") {
        if let serverError = error.serverError, [.denied, .serverRejected].contains(error.code) {
            self.init(serverError, login: login, isDenied: error.code == .denied)
            return
        }
        switch error.code {
        case .cancelledByUser:
            let ignored = (error.underlying as? WebAuthenticationError)?.ignored.map { "; \($0)" } ?? ""
            self.init("cancelled", .cancelled, "the sign-in was cancelled\(ignored)", hint: login)
        case .cancelledByProgram where error.underlying is CredentialStoreError,
            .storeFailed where error.underlying is CredentialStoreError:
            self.init(store: error, login: login)
        // If a signal caused the cancellation, the signal is reported instead.
        case .cancelledByProgram: self.init("ended_elsewhere", .failed, error.explanation, hint: login)
        case .denied: self.init("denied", .denied, "access was denied: \(error.explanation)", hint: "\(login), and allow access")
        case .timedOut:
            self.init("timed_out", .timedOut, "timed out: \(error.explanation)", hint: "\(login) --timeout \(timeout)")
        case .signInNeeded: self.init("sign_in_needed", .signInNeeded, error.explanation, hint: login, serverError: error.serverError)
        case .cannotSignInHere where (error.underlying as? WebAuthenticationError)?.code == .cannotReceive:
            self.init(
                "cannot_sign_in_here", .failed, error.explanation,
                hint: "fix the problem and run the same command again; see: authhub help login"
            )
        case .cannotSignInHere:
            self.init(
                "cannot_sign_in_here", .failed, error.explanation,
                hint: "\(login) --browser CMD, or add --browser none to open the page by hand on this machine")
        case .serverRejected:
            self.init("server_rejected", .failed, "the server rejected the request: \(error.explanation)", hint: login)
        case .serverMisbehaved:
            self.init(
                "server_misbehaved", .failed, "the server's response cannot be used: \(error.explanation)",
                hint: "check the issuer's URL; if it is right, report this to the server's operator")
        case .securityCheckFailed where error.otherIssuer != nil:
            self.init(
                "security_check_failed", .securityCheckFailed, error.explanation,
                hint: error.otherIssuer?.hint { $0.shellWord } ?? login)
        case .securityCheckFailed:
            self.init(
                "security_check_failed", .securityCheckFailed, "a security check failed and nothing was accepted: \(error.explanation)",
                hint: "check the provider's URL and the client ID, then run \(login); if it fails again, report it to the operator")
        case .unreachable where [.temporarilyUnavailable, .slowDown].contains(error.serverError?.code):
            self.init(
                "try_again", .tryAgain, "the server is busy (\(error.explanation))", hint: "run the same command again later",
                serverError: error.serverError)
        case .unreachable where error.serverError != nil:
            self.init(
                "server_failed", .unreachable, "the server has a problem at the moment (\(error.explanation))",
                hint: "run the same command again later; if the problem persists, report it to the server's operator",
                serverError: error.serverError)
        case .unreachable where (error.underlying as? LoadError)?.code == .notSecure:
            self.init("unreachable", .unreachable, "no usable response: \(error.explanation)", hint: Self.secureConnectionHint)
        case .unreachable:
            self.init(
                "unreachable", .unreachable, "no usable response: \(error.explanation)",
                hint: "check that the network is up and the server is running, then run the same command again")
        case .storeFailed where error.underlying is AccountSettings.UnreadableRecord:
            self.init("store_failed", .storeFailed, error.explanation, hint: "authhub login PROVIDER --client-id ID replaces them")
        case .storeFailed: self.init("store_failed", .storeFailed, error.explanation, hint: login)
        case .misconfigured where error.underlying is ProviderReferenceError:
            self = .usage(error.explanation, hint: (error.underlying as? ProviderReferenceError)?.hint ?? "authhub help login")
        default:
            self.init("misconfigured", .failed, error.explanation, hint: Self.missingHint(error, login: login) ?? "authhub help login")
        }
    }

    /// What to do if a server's metadata is missing or incomplete; nil for other errors.
    private static func missingHint(_ error: SessionError, login: String) -> String? {
        if error.underlying is NoDocuments { return "\(login) --authorization-endpoint URL --token-endpoint URL works without metadata" }
        guard let cause = (error.underlying as? OAuthError)?.underlying as? UnusableServer else { return nil }
        return "report this to the server's operator"
            + (cause.lacksEndpoint ? ", or supply the missing URLs in a file: authhub provider add FILE" : "")
    }

    /// What to do about a failed TLS handshake.
    private static let secureConnectionHint =
        "check the URL and this machine's clock; if the server's certificate authority is private, add --ca-file FILE or set SSL_CERT_FILE"

    private init(store error: SessionError, login: String) {
        guard let cause = error.underlying as? CredentialStoreError else {
            self.init("store_failed", .storeFailed, error.explanation, hint: login)
            return
        }
        self.init(cause)
        guard error.refreshTokenIsSpent else { return }
        // Not a status that tells scripts to run the command again: the stored refresh token is used up.
        let isTemporary = exit != .storeFailed
        self.init(
            isTemporary ? "store_failed" : code, .storeFailed,
            "\(message); the server has already replaced the refresh token, and the new one is lost",
            hint: "fix the problem, then sign in again: \(login)")
    }

    init(_ error: CredentialStoreError) {
        switch error.code {
        case .leaseHeld:
            self.init("try_again", .tryAgain, error.explanation, hint: "run the same command again later")
        case .cancelled:
            self.init("interrupted", .interrupted, "interrupted", hint: "run the same command again")
        case .corrupt where error.isOfChoice:
            self.init(
                "store_failed", .storeFailed, "the credential store: \(error.explanation)",
                hint: "fix the problem and run the same command again")
        case .corrupt, .rolledBack:
            self.init(
                "store_failed", .storeFailed, "the credential store: \(error.explanation)",
                hint: "authhub store info shows the state of the store; authhub logout removes an account whose record is damaged")
        case .keyMissing:
            self.init(
                "store_key_missing", .storeFailed, "the credential store: \(error.explanation)",
                hint: "nothing was changed; authhub store info shows where the key must come from")
        case .full:
            self.init(
                "store_full", .storeFailed, "the credential store (full): \(error.explanation)",
                hint: "free some space and run the same command again")
        case .locked:
            self.init(
                "store_locked", .storeFailed, "the credential store is locked: \(error.explanation)",
                hint: "unlock it and run the same command again")
        case .dismissed:
            self.init(
                "store_dismissed", .cancelled, "the credential store was not unlocked: \(error.explanation)",
                hint: "run the same command again and enter the password, or choose another store with --store file")
        case .timedOut:
            self.init(
                "store_timed_out", .storeFailed, "the credential store does not respond: \(error.explanation)",
                hint: "run the same command again later; authhub store info shows the state of each store")
        case .unavailable:
            self.init(
                "store_unavailable", .storeFailed, "the credential store is not available: \(error.explanation)",
                hint: "authhub store info shows the state of each store; add --store STORE to use another one")
        default:
            self.init(
                "store_failed", .storeFailed, "the credential store (\(error.code.description.codeInWords)): \(error.explanation)",
                hint: "authhub store info shows the state of each store")
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
        case .tooLarge, .redirectRefused, .invalidResponse:
            self.init("server_misbehaved", .failed, error.description, hint: "check the URL")
        case .notSecure: self.init("unreachable", .unreachable, error.description, hint: Self.secureConnectionHint)
        default:
            self.init(
                "unreachable", .unreachable, error.description,
                hint: "check that the network is up and the server is running, then run the same command again")
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
            self.init("try_again", .tryAgain, error.explanation, hint: wait ?? "run the same command again later")
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
            let scopes = error.requiredScopes.joined(separator: ",")
            self.init(
                "denied", .denied, error.explanation,
                hint: scopes.isEmpty
                    ? "if the token lacks a scope that GitHub's message names: \(login) --scope SCOPES"
                    : "\(login) --scope \(scopes.shellWord)")
        case .rateLimited:
            let wait = error.retryAfter.map { "run the same command again in \(Words.duration(Double($0)))" }
            self.init("try_again", .tryAgain, error.explanation, hint: wait ?? "run the same command again later")
        default: self.init("api_failed", .failed, error.explanation, hint: "authhub status" + account)
        }
    }
}

extension SessionError {
    /// The issuer that the metadata names instead of the one that the user typed; nil for other errors.
    var otherIssuer: OtherIssuer? { (underlying as? OAuthError)?.underlying as? OtherIssuer }
}

extension OtherIssuer {
    /// What to do about the error.
    ///
    /// - Parameter command: Returns the command, or the part of it, that names the issuer.
    func hint(_ command: (_ issuer: String) -> String) -> String {
        "\(isSameURL ? "use the URL that the server itself uses" : "if that is the server that you mean, use its own URL"): \(command(issuer))"
    }
}

extension ProviderReferenceError {
    /// What to type if the provider of an account cannot be used.
    fileprivate var hint: String {
        if provider.isIssuer {
            let isLoopback = Origin(url: provider.name)?.isLoopback ?? false
            return isLoopback && !allowsInsecureLoopback
                ? "add --allow-insecure-loopback, for development on this machine" : "authhub login https://ISSUER --client-id ID"
        }
        if provider.isDescribed {
            return allowsInsecureLoopback ? "authhub provider add FILE" : "--allow-insecure-loopback allows http on this machine"
        }
        return provider.known == nil ? "authhub provider list" : "authhub provider show \(provider.name)"
    }
}
