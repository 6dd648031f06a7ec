/// The maximum time of a request including all waiting, attempts and redirects, up to the last byte of the response's body.
///
/// A ``DeadlineLoader`` enforces it. If nil, the default, the limit of that loader applies.
public enum Deadline: RequestOption {
    /// The default: nil, so that the limit of the ``DeadlineLoader`` applies.
    public static var defaultValue: Duration? { nil }
}
