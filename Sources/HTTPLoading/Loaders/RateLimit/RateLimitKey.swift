/// The key under which a ``RateLimitLoader`` counts a request, such as the name of an account.
///
/// Requests with the same key are counted together, whatever their origins. If nil, the default, the scope of the loader determines the
/// group.
public enum RateLimitKey: RequestOption {
    /// The default: nil, so that the scope of the loader determines the group.
    public static var defaultValue: String? { nil }
}
