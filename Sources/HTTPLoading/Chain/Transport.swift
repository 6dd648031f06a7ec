/// The end of a ``Chain``: sends one request as it is, once, and follows no redirects.
public protocol Transport: Sendable {
    /// Sends one request, within its ``AttemptTimeout`` where the transport keeps that. The body of the response may still be on its way.
    ///
    /// - Throws: ``LoadError``, with `.cannotConnect` or `.notSecure` only where the request was surely not sent: such requests are tried again.
    func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse

    /// Closes all connections. What is under way fails, as does what comes after.
    func shutdown() async
}

extension Transport {
    public func shutdown() async {}
}
