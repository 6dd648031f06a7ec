/// Whether a request counts for a ``ThrottleLoader``.
public enum Throttling: Sendable, Hashable, RequestOption {
    /// It needs a permit.
    case always
    /// It passes at once, and is not counted.
    case never

    public static var defaultValue: Throttling { .always }
}
