import AuthHubPrimitives

/// Why a message of OAuth cannot be made, or was not accepted.
///
/// Never holds a token, a code, a verifier or a client secret: what was expected and what came is told in words.
public struct OAuthError: Error {
    /// Who has to do something now; an open set.
    public struct Code: Sendable, Hashable {
        private let name: String

        private init(_ name: String) {
            self.name = name
        }

        /// The program asked for something that cannot be: the explanation says what.
        public static let misuse = Self("misuse")
        /// The provider's settings or metadata do not fit the request.
        public static let configuration = Self("configuration")
        /// The server answered with an error of its own: ``OAuthError/serverError``.
        public static let serverRejected = Self("server_rejected")
        /// What the server sent breaks the protocol.
        public static let invalidResponse = Self("invalid_response")
        /// A check that guards against attacks failed; nothing of the message was used.
        public static let securityCheckFailed = Self("security_check_failed")
        /// The server's metadata names endpoints that may belong to another server; the program or the user must confirm one by setting it
        /// explicitly (RFC 9700 §4.4).
        public static let unconfirmedEndpoints = Self("unconfirmed_endpoints")
        /// The sign-in took longer than it may.
        public static let expired = Self("expired")
    }

    public let code: Code
    /// What was wrong, in words that may be shown.
    public let explanation: String
    /// What the server said, for ``Code/serverRejected``.
    public let serverError: ServerError?
    public let underlying: (any Error)?
    /// The tokens in a response that was not accepted: the tokens that they replace may be spent.
    package internal(set) var issued: IssuedTokens?

    public init(_ code: Code, _ explanation: String, underlying: (any Error)? = nil) {
        self.code = code
        self.explanation = explanation
        serverError = nil
        self.underlying = underlying
    }

    public init(_ serverError: ServerError) {
        code = .serverRejected
        explanation = serverError.description
        self.serverError = serverError
        underlying = nil
    }
}

extension OAuthError.Code: CustomStringConvertible {
    public var description: String { name }
}

extension OAuthError: CustomStringConvertible {
    public var description: String { "\(code.description.codeInWords): \(explanation)" }
}
