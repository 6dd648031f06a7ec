/// The key under which a ``ThrottleLoader`` counts a request. Requests with the same key are counted together, whatever their origins.
///
/// If nil, the default, the scope of the loader determines the group.
public enum ThrottleKey: RequestOption {
    /// The default: nil, so that the scope of the loader determines the group.
    public static var defaultValue: String? { nil }
}
