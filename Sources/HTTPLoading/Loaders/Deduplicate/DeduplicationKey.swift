/// The requests with which a request may share a response in a ``DeduplicateLoader``.
public enum DeduplicationKey: Sendable, Hashable, RequestOption {
    /// Requests with the same method, target and header fields, and equivalent options; only for safe methods without a body.
    case derived
    /// Requests with the same explicit key, whatever their method, path, body and other header fields: one of them is sent. Method, origin,
    /// `Authorization`, `Cookie` and `Proxy-Authorization` must be equal nevertheless. If your own header field identifies an account,
    /// include the account in the key.
    case explicit(String)
    /// No other requests.
    case never

    /// The key of requests without this option: derived from the request.
    public static var defaultValue: DeduplicationKey { .derived }
}
