/// One link of a ``Chain``: gets a request, and returns a response of its own or of the links behind it.
///
/// A loader may change the request, look at the response, load several times, or answer by itself. It keeps the request's identity.
public protocol Loader: Sendable {
    /// Where in a chain it has to stand; nil for one that may stand anywhere.
    var place: LoaderPlace? { get }

    /// Loads one request, by way of `next` or not.
    ///
    /// - Throws: ``LoadError`` where no response came. A response with an error status is a response.
    func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse

    /// Forgets what it has learned or keeps, once for each phase of a reset; see ``ResetPhase``.
    ///
    /// - Throws: What could not be done, for the ``ResetReport``. The reset goes on.
    func reset(_ context: ResetContext) async throws
}

extension Loader {
    public var place: LoaderPlace? { nil }
    public func reset(_ context: ResetContext) async throws {}
}
