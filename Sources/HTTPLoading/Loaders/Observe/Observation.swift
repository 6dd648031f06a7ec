import HTTPTypes

extension LoadClock {
    /// Loads, and says how long that took up to the response's head or the error.
    func timed(_ load: () async throws(LoadError) -> LoadResponse) async -> (Result<LoadResponse, LoadError>, Duration) {
        let start = now
        do throws(LoadError) {
            let response = try await load()
            return (.success(response), now - start)
        } catch {
            return (.failure(error), now - start)
        }
    }
}

extension HTTPRequest.Method {
    /// The name where it is one of the registered methods in common use; nil for others: anything may stand in their place.
    var wellKnownName: String? {
        Self.wellKnown.contains(self) ? rawValue : nil
    }

    private static let wellKnown: Set<Self> = [.get, .head, .post, .put, .delete, .connect, .options, .trace, .patch]
}
