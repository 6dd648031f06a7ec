public import HTTPTypes

/// An attempt and its result. A ``RetryPolicy`` decides on this basis whether to retry.
public struct FinishedAttempt: Sendable {
    /// The request as the retry loader sent it, without the changes of loaders after it.
    public let request: LoadRequest
    /// The head of the response, whatever its status, or the error.
    public let outcome: Result<HTTPResponse, LoadError>
    /// The number of the attempt, starting with 1.
    public let number: Int
    /// The time since the first attempt started.
    public let elapsed: Duration

    /// Creates an attempt, for example to test the condition of a ``RetryPolicy``.
    package init(request: LoadRequest, outcome: Result<HTTPResponse, LoadError>, number: Int, elapsed: Duration) {
        self.request = request
        self.outcome = outcome
        self.number = number
        self.elapsed = elapsed
    }

    /// Whether a retry makes sense: the default condition of a ``RetryPolicy``.
    ///
    /// A request that was certainly not sent can be retried with any method. After a lost connection, a timeout, or status 408, 429, 500,
    /// 502, 503 or 504, the server may have processed the request. Such a request is retried only if repeating it has no further effect,
    /// that is, if its method is idempotent (RFC 9110 §9.2.2) or it has an ``IdempotencyKey``.
    public var isRetryable: Bool {
        switch outcome {
        case .success(let response): Self.passingStatuses.contains(response.status.code) && mayBeRepeated
        case .failure(let error):
            Self.passingErrors.contains(error.code) && (!error.mayHaveBeenSent || mayBeRepeated)
        }
    }

    /// Whether repeating the request has the same effect as sending it once.
    private var mayBeRepeated: Bool {
        Self.idempotentMethods.contains(request.head.method) || IdempotencyKey.isSet(in: request.head)
    }

    private static let passingStatuses: Set<Int> = [408, 429, 500, 502, 503, 504]
    private static let passingErrors: Set<LoadError.Code> = [.cannotConnect, .connectionLost, .timedOut]
    /// The methods of RFC 9110 §9.2.2, and QUERY, which is safe.
    private static let idempotentMethods: Set<HTTPRequest.Method> = [.get, .head, .options, .trace, .put, .delete, .query]
}

extension FinishedAttempt {
    /// Whether the attempt ended with an error that a retry would only repeat, or with a cancellation.
    var isFinal: Bool {
        guard case .failure(let error) = outcome else { return false }
        return Self.finalErrors.contains(error.code)
    }

    private static let finalErrors: Set<LoadError.Code> = [
        .cancelled, .notAuthorized, .redirectRefused, .invalidRequest, .tooLarge, .bodySpent, .resetInProgress, .queueFull, .shutDown,
        .notSecure,
    ]
}
