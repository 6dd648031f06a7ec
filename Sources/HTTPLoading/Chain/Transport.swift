/// The end of a ``Chain``: sends one request as it is, once, and follows no redirects.
public protocol Transport: Sendable {
    func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse

    /// Closes all connections. What is under way fails, as does what comes after.
    func shutdown() async
}

extension Transport {
    public func shutdown() async {}
}
