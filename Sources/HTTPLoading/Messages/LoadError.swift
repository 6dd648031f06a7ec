package import AuthHubPrimitives

/// An error that says why there is no response. It is safe to print, because it contains no header field, no body and no path.
public struct LoadError: Error {
    /// The kind of error; more codes may be added.
    public struct Code: Sendable, Hashable {
        private let name: String

        private init(_ name: String) {
            self.name = name
        }

        /// The request cannot be sent as it is, for example because it has no host; or the body of a response was read a second time.
        public static let invalidRequest = Self("invalid_request")
        /// The request would have to be sent again, but its body can be read only once.
        public static let bodySpent = Self("body_spent")
        /// The response is not valid HTTP, or a loader returned something that is not a response to the request; the request may have been
        /// sent.
        public static let invalidResponse = Self("invalid_response")
        /// No connection could be established; the request was not sent.
        public static let cannotConnect = Self("cannot_connect")
        /// The connection was lost; the request may have been sent.
        public static let connectionLost = Self("connection_lost")
        /// The server's certificate was rejected, or the TLS handshake failed.
        public static let notSecure = Self("not_secure")
        /// The time ran out; the request may have been sent.
        public static let timedOut = Self("timed_out")
        /// The caller's task was cancelled.
        public static let cancelled = Self("cancelled")
        /// The body is larger than the reader allows, or the head or the decompressed body is larger than the transport allows.
        public static let tooLarge = Self("too_large")
        /// A redirect was not followed because its URL, the number of redirects, or a rule of the chain forbids it.
        public static let redirectRefused = Self("redirect_refused")
        /// Too many requests are already waiting; this one was not sent.
        public static let queueFull = Self("queue_full")
        /// The rate limit of the server or the chain does not allow the request in time; the request was not sent.
        public static let rateLimited = Self("rate_limited")
        /// The chain is being reset; the request was not sent.
        public static let resetInProgress = Self("reset_in_progress")
        /// The chain was shut down; the request was not sent.
        public static let shutDown = Self("shut_down")
        /// No credential was available for the request; ``LoadError/underlying`` says why.
        public static let notAuthorized = Self("not_authorized")
    }

    // In one object, because every function of a chain reserves space for an error, but few requests ever have one.
    private let facts: Facts

    /// The kind of error.
    public var code: Code { facts.code }
    /// The ID of the request that failed.
    public var request: RequestID? { facts.request }
    /// The server that the request was for.
    package var origin: Origin? { facts.origin }
    /// Details in addition to the code, without any part of a request or response.
    public var explanation: String? { facts.explanation }
    /// The underlying error, such as that of the network client. It is not part of the description, because it may contain secrets.
    public var underlying: (any Error)? { facts.underlying }

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - request: The request that failed. The error stores only its ID and origin.
    ///   - explanation: Text for users and logs. It must not contain a secret, or any part of a request or response.
    ///   - underlying: The underlying error, which is stored unchanged.
    public init(
        _ code: Code,
        for request: LoadRequest? = nil,
        explanation: String? = nil,
        underlying: (any Error)? = nil
    ) {
        facts = Facts(
            code: code, request: request?.id, origin: request.flatMap { Origin($0.head) }, explanation: explanation, underlying: underlying)
    }

    private init(_ facts: Facts) {
        self.facts = facts
    }

    /// Returns the same error for another request, which shared the failed one.
    func shared(with request: RequestID) -> LoadError {
        copy(request: request)
    }

    /// Returns the same error for a request that was sent before, for example by the hop before a redirect.
    func afterSending() -> LoadError {
        mayHaveBeenSent ? self : copy(wasSentBefore: true)
    }

    private func copy(request: RequestID? = nil, wasSentBefore: Bool? = nil) -> LoadError {
        LoadError(
            Facts(
                code: code, request: request ?? self.request, origin: origin, explanation: explanation, underlying: underlying,
                wasSentBefore: wasSentBefore ?? facts.wasSentBefore))
    }

    /// Whether a server may have received the request, in this attempt, in an earlier one, or in an earlier hop. If so, the effect of the
    /// request may occur twice if you send it again.
    ///
    /// If this is unknown, the value is true. It is therefore always true for `.timedOut`, `.connectionLost` and `.cancelled`, even if the
    /// request was never sent.
    public var mayHaveBeenSent: Bool {
        facts.wasSentBefore || [.connectionLost, .timedOut, .cancelled, .tooLarge, .invalidResponse].contains(code)
    }
}

extension LoadError {
    private final class Facts: Sendable {
        let code: Code
        let request: RequestID?
        let origin: Origin?
        let explanation: String?
        let underlying: (any Error)?
        let wasSentBefore: Bool

        init(
            code: Code, request: RequestID?, origin: Origin?, explanation: String?, underlying: (any Error)?, wasSentBefore: Bool = false
        ) {
            self.code = code
            self.request = request
            self.origin = origin
            self.explanation = explanation
            self.underlying = underlying
            self.wasSentBefore = wasSentBefore
        }
    }
}

extension LoadError.Code: CustomStringConvertible {
    public var description: String { name }
}

extension LoadError: CustomStringConvertible {
    public var description: String {
        var text = code.description.codeInWords
        if let origin { text += " (\(origin))" }
        if let explanation { text += ": \(explanation)" }
        return text
    }
}
