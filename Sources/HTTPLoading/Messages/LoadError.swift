public import AuthHubPrimitives

/// Why no response came. Holds no header field, no body and no path, so that it is safe to print.
public struct LoadError: Error {
    /// What went wrong; an open set.
    public struct Code: Sendable, Hashable {
        private let name: String

        private init(_ name: String) {
            self.name = name
        }

        /// The request cannot be sent as it is, such as one without a host; or a response body was read a second time.
        public static let invalidRequest = Self("invalid request")
        /// A request that would have to be sent again cannot be: its body comes but once.
        public static let bodySpent = Self("body spent")
        /// A loader put something else in the place of a response.
        public static let invalidResponse = Self("invalid response")
        /// No connection could be made; the request was not sent.
        public static let cannotConnect = Self("cannot connect")
        /// The connection broke, or what came was not HTTP; the request may have been sent.
        public static let connectionLost = Self("connection lost")
        /// The server's certificate was not accepted, or no secure connection could be agreed on.
        public static let notSecure = Self("not secure")
        /// Time ran out; the request may have been sent.
        public static let timedOut = Self("timed out")
        /// The caller's task was cancelled.
        public static let cancelled = Self("cancelled")
        /// The body is larger than the reader allows, or a part of the response than the transport does.
        public static let tooLarge = Self("too large")
        /// A redirect was not followed: its address, its count, or the rule of the chain forbids it.
        public static let redirectRefused = Self("redirect refused")
        /// Too many requests wait for their turn already; this one was not sent.
        public static let queueFull = Self("queue full")
        /// The server's or the chain's own rate allows no request in time; this one was not sent.
        public static let rateLimited = Self("rate limited")
        /// The chain is being reset; the request was not sent.
        public static let resetInProgress = Self("reset in progress")
        /// The chain was shut down; the request was not sent.
        public static let shutDown = Self("shut down")
        /// No credential could be had for the request; ``LoadError/underlying`` says why.
        public static let notAuthorized = Self("not authorized")
    }

    // In one object, because every function of a chain keeps room for an error, and few ever have one.
    private let facts: Facts

    /// What went wrong.
    public var code: Code { facts.code }
    /// The load this belongs to.
    public var request: RequestID? { facts.request }
    /// The server it was about.
    public var origin: Origin? { facts.origin }
    /// What to know beyond the code, without any part of a message.
    public var explanation: String? { facts.explanation }
    /// What was thrown below, such as the network client's own error. It is not part of the description: what it says is not ours.
    public var underlying: (any Error)? { facts.underlying }

    /// - Parameters:
    ///   - request: Gives the error its id and origin, and nothing else.
    ///   - explanation: Shown and logged: no part of a message, and no secret.
    ///   - underlying: Handed on as it is.
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

    /// The same as the end of another load, which shared this one.
    func shared(with request: RequestID) -> LoadError {
        copy(request: request)
    }

    /// The same as the end of a load that was sent before, such as the hop in front of a redirect.
    func afterSending() -> LoadError {
        mayHaveBeenSent ? self : copy(wasSentBefore: true)
    }

    private func copy(request: RequestID? = nil, wasSentBefore: Bool? = nil) -> LoadError {
        LoadError(
            Facts(
                code: code, request: request ?? self.request, origin: origin, explanation: explanation, underlying: underlying,
                wasSentBefore: wasSentBefore ?? facts.wasSentBefore))
    }

    /// Whether a server may have seen the request, in this sending or in an earlier attempt or hop, so that sending it again may act twice.
    ///
    /// True where nobody can tell, and so always for `.timedOut`, `.connectionLost` and `.cancelled`, also where the time went in waiting.
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
        var text = code.description
        if let origin { text += " (\(origin))" }
        if let explanation { text += ": \(explanation)" }
        return text
    }
}
