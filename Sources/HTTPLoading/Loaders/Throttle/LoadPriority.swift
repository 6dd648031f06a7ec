/// Who goes first where loads wait for a permit.
///
/// Within a priority, first come is first served. A higher priority always goes before a lower one: as long as enough of them keep coming,
/// those of lower priority wait, each until its own time limit.
public enum LoadPriority: Int, Sendable, Hashable, CaseIterable, Comparable, RequestOption {
    case low
    case normal
    case high

    public static var defaultValue: LoadPriority { .normal }

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
