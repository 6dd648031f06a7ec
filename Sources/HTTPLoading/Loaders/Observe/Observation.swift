import HTTPTypes

extension Next {
    /// Loads, and says how long that took up to the response's head or the error.
    func timedOutcome(of request: LoadRequest) async -> (Result<LoadResponse, LoadError>, Duration) {
        let start = clock.now
        let outcome = await outcome(of: request)
        return (outcome, clock.now - start)
    }
}

extension HTTPRequest.Method {
    /// The name where it is one of the registered methods in common use; nil for others: anything may stand in their place.
    var wellKnownName: String? {
        Self.wellKnown.contains(self) ? rawValue : nil
    }

    private static let wellKnown: Set<Self> = [.get, .head, .post, .put, .delete, .connect, .options, .trace, .patch]
}
