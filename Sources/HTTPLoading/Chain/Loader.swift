/// A step of a ``Chain``, which receives a request and returns a response: its own, or one from the rest of the chain.
///
/// A loader can change the request, inspect the response, send the request several times, or respond by itself. It has to keep the
/// request's identity.
public protocol Loader: Sendable {
    /// The place where the loader belongs in a chain; nil if it can be anywhere.
    var place: LoaderPlace? { get }

    /// Handles a request, usually by passing it to `next`.
    ///
    /// - Throws: ``LoadError`` if there is no response. A response with an error status is a response.
    func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse

    /// Clears what the loader has stored, once for each phase of a reset; see ``ResetPhase``.
    ///
    /// - Throws: An error for the ``ResetReport`` if the loader could not do its part. The reset continues.
    func reset(_ context: ResetContext) async throws
}

extension Loader {
    /// The default place: nil, so that the loader can be anywhere in a chain.
    public var place: LoaderPlace? { nil }
    /// Does nothing, for loaders that store nothing.
    public func reset(_ context: ResetContext) async throws {}
}
