/// Names what a request is counted with by a ``ThrottleLoader``, whatever its origin; nil, the default, leaves it to the loader's scope.
public enum ThrottleKey: RequestOption {
    public static var defaultValue: String? { nil }
}
