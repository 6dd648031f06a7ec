/// Names what a request is counted with by a ``RateLimitLoader``, such as an account, whatever its origin; nil, the default, leaves it to
/// the loader's scope.
public enum RateLimitKey: RequestOption {
    public static var defaultValue: String? { nil }
}
