/// The end of a ``Chain``, which sends a request as it is, once, without following redirects.
public protocol Transport: Sendable {
    /// Sends a request, and enforces its ``AttemptTimeout`` if the transport supports it. Returns before the whole body has arrived.
    ///
    /// - Throws: ``LoadError``. It has the code `.cannotConnect` or `.notSecure` only if the request was certainly not sent, because such
    ///   requests are retried.
    func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse

    /// Closes all connections. Requests in progress fail, as do all later ones.
    func shutdown() async
}

extension Transport {
    /// Does nothing, for transports that hold no connections.
    public func shutdown() async {}
}
