/// The end of a ``Chain``. It sends each request once, unchanged, and does not follow redirects.
public protocol Transport: Sendable {
    /// Sends a request, and enforces its ``AttemptTimeout`` if the transport supports this. Returns when the head of the response has
    /// arrived.
    ///
    /// - Throws: ``LoadError``. Its code must be `.cannotConnect` or `.notSecure` only if the request was certainly not sent, because the
    ///   chain then considers it safe to send the request again.
    func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse

    /// Closes all connections. Requests in progress fail, as do all later ones.
    func shutdown() async
}

extension Transport {
    /// Does nothing, for transports that hold no connections.
    public func shutdown() async {}
}
