import HTTPLoading

/// The loaders that an app sets for its requests to the authorization server, followed by the guard that rejects unwanted changes.
struct ServerLoaders: Sendable {
    /// The app's loaders and the guard.
    let loaders: [any Loader]
    /// The reason that these loaders cannot be used; nil if they can.
    private let fault: SessionError?

    /// - Returns: nil if there are none.
    init?(_ loaders: [any Loader]) {
        guard !loaders.isEmpty else { return nil }
        fault = Self.fault(in: loaders)
        self.loaders = loaders + [ServerGuardLoader()]
    }

    /// Creates the passage of one request through the app's loaders.
    ///
    /// - Throws: ``LoadError`` with `.invalidRequest` if the loaders cannot be used.
    func passage(of request: LoadRequest) throws(LoadError) -> ServerPassage {
        if let fault { throw LoadError(.invalidRequest, for: request, underlying: fault) }
        return ServerPassage(of: request)
    }

    private static func fault(in loaders: [any Loader]) -> SessionError? {
        if loaders.contains(where: { $0.position == .authorize }) {
            return SessionError(
                .misconfigured, "serverLoaders contains an authorizing loader, which would wait for the token being requested; remove it")
        }
        return ChainError(orderOf: loaders).map { SessionError(.misconfigured, "serverLoaders are in the wrong order: \($0)") }
    }
}

/// Runs after the app's loaders and passes on only the session's own request, to the same URL, and once.
struct ServerGuardLoader: Loader {
    func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        guard let passage = request.options[ServerPassage.self] else {
            throw ServerPassage.refusal(of: request, because: "sent its own request through this chain; it needs a separate chain")
        }
        let admitted = try passage.admit(request)
        do throws(LoadError) {
            let response = try await next(admitted)
            passage.sent()
            return response
        } catch {
            passage.failed(error)
            throw error
        }
    }
}
