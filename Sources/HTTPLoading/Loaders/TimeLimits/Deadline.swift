/// How long a load may take with all its waiting, attempts and redirects, to the last byte of the response's body.
///
/// A ``DeadlineLoader`` keeps it; nil, the default, leaves it to that loader's own limit.
public enum Deadline: RequestOption {
    public static var defaultValue: Duration? { nil }
}
