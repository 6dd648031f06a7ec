/// Counts the resets of a chain. What belongs to an older epoch is not to be kept in a newer one.
public struct Epoch: Sendable, Hashable, Comparable {
    var number: UInt64 = 0

    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// Why a chain is reset; an open set.
public struct ResetReason: Sendable, Hashable, RawRepresentable, ExpressibleByStringLiteral {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    /// Whoever used the chain leaves: nothing of theirs may stay.
    public static let signOut: Self = "sign out"
}

/// The two rounds in which the loaders of a chain are reset, outermost first.
public enum ResetPhase: Sendable, Hashable, CaseIterable {
    /// What is kept is deleted: local, fast, before anything else is tried. Loads of the old epoch are still under way.
    case forget
    /// The old epoch's loads have ended: queues are emptied, servers told, within the limits each loader sets itself.
    case cleanUp
}

/// What came of a reset.
public struct ResetReport: Sendable {
    /// A loader that could not do its part.
    public struct Failure: Sendable {
        /// The loader's type.
        public let loader: String
        public let phase: ResetPhase
        public let error: any Error
    }

    /// The epoch that has begun.
    public let epoch: Epoch
    /// How many loads were cancelled.
    public internal(set) var cancelledLoads = 0
    /// How many of them had not ended when their grace was over; what they bring is dropped.
    public internal(set) var abandonedLoads = 0
    /// In the order of the loaders, those of ``ResetPhase/forget`` first.
    public internal(set) var failures: [Failure] = []
}
