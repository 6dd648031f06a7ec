import AuthHubPrimitives

/// An error that says why an OAuth message could not be created or was not accepted.
///
/// An error never contains a token, a code, a verifier or a client secret.
public struct OAuthError: Error {
    /// The kind of error, which indicates who can fix it. More codes may be added.
    public struct Code: Sendable, Hashable {
        private let name: String

        private init(_ name: String) {
            self.name = name
        }

        /// The caller's arguments are invalid or contradict each other.
        public static let misuse = Self("misuse")
        /// The provider's settings or metadata do not fit the request.
        package static let configuration = Self("configuration")
        /// The server returned an error; see ``OAuthError/serverError``.
        package static let serverRejected = Self("server_rejected")
        /// The server's message violates the protocol.
        public static let invalidResponse = Self("invalid_response")
        /// A security check failed. No part of the message was used.
        package static let securityCheckFailed = Self("security_check_failed")
        /// The server's metadata names endpoints that may belong to another server; the program or the user must confirm one by setting it
        /// explicitly (RFC 9700 §4.4).
        package static let unconfirmedEndpoints = Self("unconfirmed_endpoints")
        /// The user did not finish the sign-in in time, or a pushed request or the client secret has expired.
        public static let expired = Self("expired")
    }

    /// The kind of error, which indicates who can fix it.
    public let code: Code
    /// What is wrong, as text that is safe to display.
    public let explanation: String
    /// The error that the server returned, if the code is ``Code/serverRejected``; otherwise nil.
    package let serverError: ServerError?
    /// The underlying error, such as a JSON error; nil if there is none.
    public let underlying: (any Error)?
    /// The tokens in a response that was not accepted. The tokens that they replace may already be invalid.
    package internal(set) var issued: IssuedTokens?

    /// Creates an error without a ``serverError``. The explanation must not contain a secret.
    package init(_ code: Code, _ explanation: String, underlying: (any Error)? = nil) {
        self.code = code
        self.explanation = explanation
        serverError = nil
        self.underlying = underlying
    }

    /// Creates an error with the code ``Code/serverRejected`` and the server's description.
    package init(_ serverError: ServerError) {
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
