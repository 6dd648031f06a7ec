/// The order in which waiting requests get a permit.
///
/// Requests with the same priority are served in order of arrival. A higher priority always goes first: as long as enough requests with a
/// higher priority arrive, those with a lower priority wait, each until its own time limit.
public enum LoadPriority: Int, Sendable, Hashable, CaseIterable, Comparable, RequestOption {
    case low
    case normal
    case high

    /// The priority of requests without this option: normal.
    public static var defaultValue: LoadPriority { .normal }

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
