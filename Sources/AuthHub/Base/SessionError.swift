import AuthHubPrimitives
import CredentialStorage
public import OAuthProtocol

/// The reason that a session operation failed. Contains no secret.
public struct SessionError: Error {
    /// The kind of error. More codes may be added.
    public struct Code: Sendable, Hashable {
        private let name: String

        private init(_ name: String) {
            self.name = name
        }

        /// The user closed the window or cancelled the sign-in.
        public static let cancelledByUser = Self("cancelled_by_user")
        /// The task was cancelled, or the session was signed out in the meantime.
        public static let cancelledByProgram = Self("cancelled_by_program")
        /// The user or the server's policy denied access.
        public static let denied = Self("denied")
        /// The user did not finish signing in before the timeout.
        public static let timedOut = Self("timed_out")
        /// No one is signed in, or the stored credential has expired: the user has to sign in.
        public static let signInNeeded = Self("sign_in_needed")
        /// This system cannot show the sign-in page, or cannot receive its callback.
        public static let cannotSignInHere = Self("cannot_sign_in_here")
        /// The server returned an error; see ``SessionError/serverError``.
        public static let serverRejected = Self("server_rejected")
        /// The server's response violates the protocol.
        public static let serverMisbehaved = Self("server_misbehaved")
        /// A security check failed, such as the comparison of `state`. Nothing from the rejected message was used.
        public static let securityCheckFailed = Self("security_check_failed")
        /// No response arrived, or the server is temporarily unavailable. The stored data is unchanged.
        public static let unreachable = Self("unreachable")
        /// The credential store failed.
        public static let storeFailed = Self("store_failed")
        /// The configuration of the program or of the provider is wrong.
        public static let misconfigured = Self("misconfigured")
    }

    /// The party that has to act on an error.
    public enum Party: Sendable, Hashable {
        case user, program, server, network, store
    }

    // In one object, because every session reserves memory for several errors, and few sessions ever have one.
    private let facts: Facts

    /// The kind of error.
    public var code: Code { facts.code }
    /// What is wrong and what to do about it, suitable for display.
    public var explanation: String { facts.explanation }
    /// The error that the server returned (RFC 6749 §4.1.2.1 and §5.2), sanitized for display; nil if there is none.
    public var serverError: ServerError? { facts.serverError }
    /// The underlying error, which is meant for logs, not for display.
    public var underlying: (any Error)? { facts.underlying }

    /// Whether the server has replaced the refresh token and the new one was not stored, so that at most the session's memory has it.
    package var refreshTokenIsSpent: Bool { facts.refreshTokenIsSpent }

    /// Creates an error. `explanation` and `serverError` must not contain a secret.
    public init(_ code: Code, _ explanation: String, serverError: ServerError? = nil, underlying: (any Error)? = nil) {
        facts = Facts(code: code, explanation: explanation, serverError: serverError, underlying: underlying)
    }

    init(spendingRefreshToken error: CredentialStoreError) {
        facts = Facts(
            code: .storeFailed,
            explanation: "the server has already replaced the refresh token, and the new one is only in memory: \(error.explanation)",
            serverError: nil, underlying: error, refreshTokenIsSpent: true)
    }

    /// Creates the error for tokens that could not be stored and were revoked, although the server has replaced the refresh token.
    init(losingRefreshToken error: SessionError) {
        facts = Facts(
            code: .storeFailed,
            explanation:
                "the new refresh token could not be stored (\(error.explanation)), and the old one is no longer valid; sign in again",
            serverError: nil, underlying: error.underlying, refreshTokenIsSpent: true)
    }

    /// Creates the error for an adoption that failed after the server had replaced the refresh token that was given.
    init(losingGivenRefreshToken error: SessionError) {
        guard !error.refreshTokenIsSpent else {
            self = error
            return
        }
        facts = Facts(
            code: error.code,
            explanation: "\(error.explanation); the server has already replaced the refresh token, which no longer works, so sign in again",
            serverError: error.serverError, underlying: error.underlying, refreshTokenIsSpent: true)
    }

    /// The party that has to act on the error. Server errors about the request or the client, such as `invalid_client` (RFC 6749 §5.2),
    /// have to be fixed in the program.
    public var whoHasToAct: Party {
        switch code {
        case .cancelledByUser, .denied, .timedOut, .signInNeeded: .user
        case .serverRejected where serverError.map { $0.code.isAboutProgram } ?? false: .program
        case .serverRejected, .serverMisbehaved, .securityCheckFailed: .server
        // The server was reached, and reports a problem of its own.
        case .unreachable where serverError?.code == .serverError: .server
        case .unreachable: .network
        case .storeFailed: .store
        default: .program
        }
    }
}

extension ServerErrorCode {
    /// Whether the error is about the program's request or the client's registration.
    fileprivate var isAboutProgram: Bool {
        switch self {
        case .invalidClient, .invalidRequest, .invalidScope, .invalidTarget, .unauthorizedClient, .unsupportedGrantType,
            .unsupportedResponseType, .invalidRedirectURI, .invalidClientMetadata, .invalidSoftwareStatement,
            .unapprovedSoftwareStatement, .unsupportedTokenType:
            true
        default: false
        }
    }
}

extension SessionError {
    private final class Facts: Sendable {
        let code: Code
        let explanation: String
        let serverError: ServerError?
        let underlying: (any Error)?
        let refreshTokenIsSpent: Bool

        init(
            code: Code, explanation: String, serverError: ServerError?, underlying: (any Error)?, refreshTokenIsSpent: Bool = false
        ) {
            self.code = code
            self.explanation = explanation
            self.serverError = serverError
            self.underlying = underlying
            self.refreshTokenIsSpent = refreshTokenIsSpent
        }
    }
}

extension SessionError.Code: CustomStringConvertible {
    public var description: String { name }
}

extension SessionError: CustomStringConvertible {
    public var description: String { "\(code.description.codeInWords): \(explanation)" }
}
