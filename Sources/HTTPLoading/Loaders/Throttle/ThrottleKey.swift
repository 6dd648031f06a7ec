/// The key under which a ``ThrottleLoader`` counts a request, whatever its origin. If nil, the default, the loader's scope determines the
/// group.
public enum ThrottleKey: RequestOption {
    public static var defaultValue: String? { nil }
}
