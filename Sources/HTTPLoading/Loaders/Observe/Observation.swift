import HTTPTypes

extension Next {
    /// Sends a request, and returns the result with the time until the head of the response or the error.
    func timedOutcome(of request: LoadRequest) async -> (Result<LoadResponse, LoadError>, Duration) {
        let start = clock.now
        let outcome = await outcome(of: request)
        return (outcome, clock.now - start)
    }
}

extension HTTPRequest.Method {
    /// The name, if it is one of the common registered methods; nil for any other, which may contain arbitrary text.
    var wellKnownName: String? {
        Self.wellKnown.contains(self) ? rawValue : nil
    }

    private static let wellKnown: Set<Self> = [.get, .head, .post, .put, .delete, .connect, .options, .trace, .patch]
}
