/// One link of a ``Chain``: gets a request, and returns a response of its own or of the links behind it.
///
/// A loader may change the request, look at the response, load several times, or answer by itself. It keeps the request's identity.
public protocol Loader: Sendable {
    func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse
}

/// The end of a ``Chain``: sends one request as it is, once, and follows no redirects.
public protocol Transport: Sendable {
    func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse
}

/// The rest of a chain behind a loader.
public struct Next: Sendable {
    private let loaders: ArraySlice<any Loader>
    private let transport: any Transport

    init(loaders: ArraySlice<any Loader>, transport: any Transport) {
        self.loaders = loaders
        self.transport = transport
    }

    public func callAsFunction(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        guard let loader = loaders.first else {
            guard !Task.isCancelled else { throw LoadError(.cancelled, for: request) }
            return try await transport.send(request)
        }
        return try await loader.load(request, next: Next(loaders: loaders.dropFirst(), transport: transport))
    }
}
