/// The key under which a ``ThrottleLoader`` counts a request, whatever its origin. If nil, the default, the loader's scope determines the
/// group.
public enum ThrottleKey: RequestOption {
    /// The default: nil, so that the scope of the loader determines the group.
    public static var defaultValue: String? { nil }
}
