/// A step of a ``Chain``. It receives a request and returns a response: either its own response, or that of the rest of the chain.
///
/// A loader can change the request, inspect the response, send the request several times, or respond by itself. It must not change the ID
/// of the request.
public protocol Loader: Sendable {
    /// The loader's position in a chain; nil if any position is allowed.
    var position: LoaderPosition? { get }

    /// Handles a request, usually by passing it to `next`.
    ///
    /// - Throws: ``LoadError`` if there is no response. A response with an error status, such as 404, is returned.
    func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse

    /// Clears the state of the loader. It is called once in each ``ResetPhase`` of a reset.
    ///
    /// - Throws: An error if the state could not be cleared. The error is added to the ``ResetReport``, and the reset continues.
    func reset(_ context: ResetContext) async throws
}

extension Loader {
    /// The default position: nil, so that the loader can be anywhere in a chain.
    public var position: LoaderPosition? { nil }
    /// Does nothing, for loaders without state.
    public func reset(_ context: ResetContext) async throws {}
}
