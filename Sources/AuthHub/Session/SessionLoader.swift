import HTTPLoading

/// Authorizes the loads of any number of sessions: the chain says which of them it is for.
struct SessionLoader: Loader {
    var place: LoaderPlace? { .authorize }

    func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        guard let engine = next.owner as? SessionEngine else {
            throw LoadError(.notAuthorized, for: request, explanation: "the chain does not belong to a session")
        }
        return try await AuthorizeLoader(SessionAuthorizer(engine: engine)).load(request, next: next)
    }
}
