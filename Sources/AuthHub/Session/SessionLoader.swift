import HTTPLoading

/// Authorizes the requests of any number of sessions. The chain's owner is the session that a request belongs to.
struct SessionLoader: Loader {
    var position: LoaderPosition? { .authorize }

    func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        guard let engine = next.owner as? SessionEngine else {
            throw LoadError(.notAuthorized, for: request, explanation: "the chain does not belong to a session")
        }
        return try await AuthorizeLoader(SessionAuthorizer(engine: engine)).load(request, next: next)
    }
}
