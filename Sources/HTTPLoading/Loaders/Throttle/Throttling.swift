/// Whether a ``ThrottleLoader`` counts a request.
public enum Throttling: Sendable, Hashable, RequestOption {
    /// The request needs a permit.
    case always
    /// The request passes immediately and is not counted.
    case never

    /// The value for requests without this option: they need a permit.
    public static var defaultValue: Throttling { .always }
}
