/// The end of a ``Chain``. It sends each request once, unchanged, and does not follow redirects.
public protocol Transport: Sendable {
    /// Sends a request, and enforces its ``AttemptTimeout`` if the transport supports this. Returns when the head of the response has
    /// arrived.
    ///
    /// - Throws: ``LoadError``. A transport may only throw `.cannotConnect` or `.notSecure` if the request was certainly not sent, because
    ///   after these errors the chain considers it safe to send the request again.
    func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse

    /// Closes all connections. Requests in progress fail, as do all later ones.
    func shutdown() async
}

extension Transport {
    /// Does nothing, for transports that hold no connections.
    public func shutdown() async {}
}
