/// The number of resets of a chain. State from an older epoch must not be stored in a newer one.
public struct Epoch: Sendable, Hashable, Comparable {
    var number: UInt64 = 0

    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// The reason for a reset; more reasons may be added.
public struct ResetReason: Sendable, Hashable, RawRepresentable, ExpressibleByStringLiteral {
    public let rawValue: String

    /// Creates a reason from text that describes it, such as `sign out`.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    /// The user of the chain signs out, and none of their data may remain.
    public static let signOut: Self = "sign out"
}

/// The two phases in which the loaders of a chain are reset, outermost first.
public enum ResetPhase: Sendable, Hashable, CaseIterable {
    /// The phase in which loaders delete their state: locally, quickly, and before anything else. Requests from before the reset are still
    /// in progress.
    case forget
    /// The phase after the requests from before the reset have ended, in which loaders empty queues and notify servers, each within its own
    /// time limit.
    case cleanUp
}

/// The result of a reset.
public struct ResetReport: Sendable {
    /// A loader whose reset failed.
    public struct Failure: Sendable {
        /// The name of the loader's type.
        public let loader: String
        /// The phase in which the loader failed.
        public let phase: ResetPhase
        /// The error that the loader's reset threw.
        public let error: any Error
    }

    /// The epoch that has started.
    package let epoch: Epoch
    /// The number of requests that were cancelled.
    public internal(set) var cancelledLoads = 0
    /// The number of cancelled requests that had not ended after the grace period; their responses are dropped.
    package internal(set) var abandonedLoads = 0
    /// The failures in the order of the loaders, those of ``ResetPhase/forget`` first.
    public internal(set) var failures: [Failure] = []
}
