import CredentialStorage
public import OAuthProtocol

/// Why a session could not do what was asked. Never holds a secret.
public struct SessionError: Error {
    /// What went wrong; an open set.
    public struct Code: Sendable, Hashable {
        private let name: String

        private init(_ name: String) {
            self.name = name
        }

        /// The person closed the window, or chose to cancel.
        public static let cancelledByPerson = Self("cancelled by the user")
        /// The task was cancelled, or the session was signed out meanwhile.
        public static let cancelledByProgram = Self("cancelled by the program")
        /// The person, or the server's policy, refused access.
        public static let denied = Self("denied")
        /// Nobody finished the sign-in in time.
        public static let timedOut = Self("timed out")
        /// Nobody is signed in, or the stored credential has ended: the person has to sign in.
        public static let signInNeeded = Self("sign-in needed")
        /// The page could not be shown, or its callback not be received, on this system.
        public static let cannotSignInHere = Self("cannot sign in here")
        /// The server answered with an error of its own: ``SessionError/serverError``.
        public static let serverRejected = Self("rejected by the server")
        /// What the server sent breaks the protocol.
        public static let serverMisbehaved = Self("the server misbehaved")
        /// A check that guards against attacks failed; nothing of the message was used.
        public static let securityCheckFailed = Self("security check failed")
        /// No answer came. Nothing that is stored has changed.
        public static let unreachable = Self("unreachable")
        /// The credential store did not do its work.
        public static let storeFailed = Self("the store failed")
        /// The program's settings do not fit.
        public static let misconfigured = Self("misconfigured")
    }

    /// Who has to do something about an error.
    public enum Party: Sendable, Hashable {
        case person, program, server, network, store
    }

    // In one object, because every session keeps room for several errors, and few ever have one.
    private let facts: Facts

    /// What went wrong.
    public var code: Code { facts.code }
    /// What was wrong and what to do about it, in words that may be shown.
    public var explanation: String { facts.explanation }
    /// What the server itself said (RFC 6749 §4.1.2.1 and §5.2), cleaned for display; nil where it said nothing.
    public var serverError: ServerError? { facts.serverError }
    /// The error of the floor below that led to this one. For logs, not for people.
    public var underlying: (any Error)? { facts.underlying }

    /// Whether the server has replaced the refresh token, and the store has not taken the new one: the session has it in memory only.
    package var refreshTokenIsSpent: Bool { facts.refreshTokenIsSpent }

    public init(_ code: Code, _ explanation: String, serverError: ServerError? = nil, underlying: (any Error)? = nil) {
        facts = Facts(code: code, explanation: explanation, serverError: serverError, underlying: underlying)
    }

    init(spendingRefreshToken error: CredentialStoreError) {
        facts = Facts(
            code: .storeFailed,
            explanation: "the server has already replaced the refresh token, and the new one is only in memory: \(error.explanation)",
            serverError: nil, underlying: error, refreshTokenIsSpent: true)
    }

    /// Who can do something about it, by its code. Of the server's own errors, those about the request and the client (RFC 6749 §5.2) are
    /// the program's to mend.
    public var whoHasToAct: Party {
        switch code {
        case .cancelledByPerson, .denied, .timedOut, .signInNeeded: .person
        case .serverRejected where serverError.map { $0.code.isAboutProgram } ?? false: .program
        case .serverRejected, .serverMisbehaved, .securityCheckFailed: .server
        case .unreachable: .network
        case .storeFailed: .store
        default: .program
        }
    }
}

extension ServerErrorCode {
    /// Whether it is about what the program asks for, or what it is registered for.
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
    public var description: String { "\(code): \(explanation)" }
}
