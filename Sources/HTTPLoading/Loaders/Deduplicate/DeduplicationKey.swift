/// The requests that a ``DeduplicateLoader`` coalesces with a request.
public enum DeduplicationKey: Sendable, Hashable, RequestOption {
    /// Requests with the same method, target and header fields, and equivalent options; only for safe methods without a body.
    case derived
    /// Requests with the same explicit key, even if their method, path, body or other header fields differ: only one of them is sent. They
    /// still need the same method, origin, `Authorization`, `Cookie` and `Proxy-Authorization`. If a header field of your own identifies an
    /// account, include the account in the key.
    case explicit(String)
    /// No other requests.
    case never

    /// The key of requests without this option: derived from the request.
    public static var defaultValue: DeduplicationKey { .derived }
}
