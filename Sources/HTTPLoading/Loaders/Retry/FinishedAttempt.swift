public import HTTPTypes

/// One sending of a request and what came of it, as a ``RetryPolicy`` judges it.
public struct FinishedAttempt: Sendable {
    /// As it was sent, up to what loaders behind retrying do to it.
    public let request: LoadRequest
    /// The response's head, whatever its status, or the error in its place.
    public let outcome: Result<HTTPResponse, LoadError>
    /// Which sending this was, from 1.
    public let number: Int
    /// Since the first sending began.
    public let elapsed: Duration

    public init(request: LoadRequest, outcome: Result<HTTPResponse, LoadError>, number: Int, elapsed: Duration) {
        self.request = request
        self.outcome = outcome
        self.number = number
        self.elapsed = elapsed
    }

    /// The rule of a ``RetryPolicy`` that says nothing else.
    ///
    /// A request that was surely not sent may go again whatever its method. After lost connections, time-outs and the statuses 408, 429,
    /// 500, 502, 503 and 504 the server may have acted: then only requests go again whose repetition changes nothing, that is, with an
    /// idempotent method (RFC 9110 §9.2.2) or an ``IdempotencyKey``.
    public var isWorthAnother: Bool {
        switch outcome {
        case .success(let response): Self.passingStatuses.contains(response.status.code) && mayBeRepeated
        case .failure(let error):
            Self.passingErrors.contains(error.code) && (!error.mayHaveBeenSent || mayBeRepeated)
        }
    }

    /// Whether the server doing it twice is the same as once.
    private var mayBeRepeated: Bool {
        Self.idempotentMethods.contains(request.head.method) || IdempotencyKey.isSet(in: request.head)
    }

    private static let passingStatuses: Set<Int> = [408, 429, 500, 502, 503, 504]
    private static let passingErrors: Set<LoadError.Code> = [.cannotConnect, .connectionLost, .timedOut]
    /// RFC 9110 §9.2.2, and QUERY, which is safe.
    private static let idempotentMethods: Set<HTTPRequest.Method> = [.get, .head, .options, .trace, .put, .delete, .query]
}

extension FinishedAttempt {
    /// Whether it ended in an error that another sending would end in, too, or that nobody waits to see mended.
    var isFinal: Bool {
        guard case .failure(let error) = outcome else { return false }
        return Self.finalErrors.contains(error.code)
    }

    private static let finalErrors: Set<LoadError.Code> = [
        .cancelled, .notAuthorized, .redirectRefused, .invalidRequest, .tooLarge, .bodySpent, .resetInProgress, .queueFull, .shutDown,
        .notSecure,
    ]
}
