/// The key under which a ``RateLimitLoader`` counts a request, such as an account, whatever the request's origin. If nil, the default, the
/// loader's scope determines the group.
public enum RateLimitKey: RequestOption {
    /// The default: nil, so that the scope of the loader determines the group.
    public static var defaultValue: String? { nil }
}
