/// How many retries the loads of one ``RetryLoader`` may make together, so that an outage is not multiplied by those who wait for its end.
///
/// In any stretch of time there are at most `reserve + ratio × loads + reserve × time / recovery` of them.
public struct RetryBudget: Sendable, Hashable {
    /// How much of a retry each load adds.
    public let ratio: Double
    /// How many retries there are at the beginning, and at most at once.
    public let reserve: Int
    /// In what time an empty reserve is full again without any loads, for callers that load seldom.
    public let recovery: Duration

    /// - Parameters:
    ///   - ratio: Retries for each load; 0.2 is one for five.
    ///   - reserve: Retries that need no loads before them.
    ///   - recovery: The time in which an empty reserve fills up by itself; a longer one than the process lives makes it never.
    public init(ratio: Double = 0.2, reserve: Int = 10, recovery: Duration = .seconds(60)) {
        self.ratio = ratio >= 0 ? ratio : 0
        self.reserve = max(reserve, 0)
        self.recovery = max(recovery, .nanoseconds(1))
    }

    /// As many retries as the policies allow.
    public static let unlimited = RetryBudget(reserve: .max)
}

/// What is left of a budget.
struct RetryBalance {
    private let budget: RetryBudget
    private var retries: Double
    private var lastChange: LoadClock.Instant?

    init(_ budget: RetryBudget) {
        self.budget = budget
        retries = Double(budget.reserve)
    }

    /// Counts a load.
    mutating func deposit(at now: LoadClock.Instant) {
        recover(until: now)
        retries = min(retries + budget.ratio, Double(budget.reserve))
    }

    /// Takes a retry.
    ///
    /// - Returns: false where there is none left.
    mutating func withdraw(at now: LoadClock.Instant) -> Bool {
        recover(until: now)
        guard retries >= 1 else { return false }
        retries -= 1
        return true
    }

    private mutating func recover(until now: LoadClock.Instant) {
        // A loader in two chains sees two clocks; time that goes backwards gives nothing.
        let time = max(now - (lastChange ?? now), .zero)
        lastChange = now
        retries = min(retries + Double(budget.reserve) * (time / budget.recovery), Double(budget.reserve))
    }
}
