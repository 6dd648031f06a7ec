/// With what other loads a ``DeduplicateLoader`` lets a request share a response.
public enum DeduplicationKey: Sendable, Hashable, RequestOption {
    /// With those of the same method, target and header fields, whose options mean the same; only for safe methods without a body.
    case derived
    /// With those that name the same, whatever their method's safety, their paths, bodies and other header fields: of several, one is
    /// sent. Method, origin and credentials have to be the same all the same.
    case explicit(String)
    /// With none.
    case never

    public static var defaultValue: DeduplicationKey { .derived }
}
