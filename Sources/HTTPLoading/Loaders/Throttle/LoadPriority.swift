/// The order in which waiting requests get a permit.
///
/// Requests with the same priority are served in order of arrival. Requests with a higher priority are always served first: as long as
/// enough of them arrive, requests with a lower priority keep waiting, until their time limits.
public enum LoadPriority: Int, Sendable, Hashable, CaseIterable, Comparable, RequestOption {
    case low
    case normal
    case high

    /// The priority of requests without this option: normal.
    public static var defaultValue: LoadPriority { .normal }

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
