/// Loaders in a row in front of a transport: a request goes in, one response or one error comes out.
///
/// The order matters, outermost first: environment, log, redirect, authorize, then the transport. Authorizing stands behind
/// redirecting, so that each hop's origin is judged anew.
public struct Chain: Sendable {
    private let loaders: [any Loader]
    private let transport: any Transport

    public init(transport: any Transport, _ loaders: [any Loader] = []) {
        self.loaders = loaders
        self.transport = transport
    }

    /// Loads a request through all loaders.
    ///
    /// - Throws: ``LoadError``. A response with an error status is a response.
    public func load(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        try await Next(loaders: loaders[...], transport: transport)(request)
    }
}
