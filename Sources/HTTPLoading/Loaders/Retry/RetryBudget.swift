/// A limit on the retries of all requests of a ``RetryLoader`` together, so that retries do not multiply the load on a server during an
/// outage.
///
/// In a period of length `time` with `requests` requests, there are at most `reserve + ratio × requests + reserve × time / recovery`
/// retries.
public struct RetryBudget: Sendable, Hashable {
    /// The fraction of a retry that each request adds.
    package let ratio: Double
    /// The number of retries at the beginning, and the maximum that can accumulate.
    package let reserve: Int
    /// The time in which an empty reserve fills up without any requests, for clients that send few of them.
    package let recovery: Duration

    /// Creates a budget.
    ///
    /// - Parameters:
    ///   - ratio: The number of retries per request; 0.2 means one retry for every five requests.
    ///   - reserve: The number of retries that are available before there have been any requests.
    ///   - recovery: The time in which an empty reserve is refilled without any requests.
    public init(ratio: Double = 0.2, reserve: Int = 10, recovery: Duration = .seconds(60)) {
        self.ratio = ratio >= 0 ? ratio : 0
        self.reserve = max(reserve, 0)
        self.recovery = max(recovery, .nanoseconds(1))
    }

    /// A budget that allows as many retries as the policies do.
    package static let unlimited = RetryBudget(reserve: .max)
}

/// The rest of a budget.
struct RetryBalance {
    private let budget: RetryBudget
    private var retries: Double
    private var lastChange: LoadClock.Instant?

    init(_ budget: RetryBudget) {
        self.budget = budget
        retries = Double(budget.reserve)
    }

    /// Counts a request.
    mutating func deposit(at now: LoadClock.Instant) {
        recover(until: now)
        retries = min(retries + budget.ratio, Double(budget.reserve))
    }

    /// Takes a retry from the budget.
    ///
    /// - Returns: false if none is left.
    mutating func withdraw(at now: LoadClock.Instant) -> Bool {
        recover(until: now)
        guard retries >= 1 else { return false }
        retries -= 1
        return true
    }

    private mutating func recover(until now: LoadClock.Instant) {
        // A loader in two chains sees two clocks; a time that goes backwards adds nothing.
        let time = max(now - (lastChange ?? now), .zero)
        lastChange = now
        retries = min(retries + Double(budget.reserve) * (time / budget.recovery), Double(budget.reserve))
    }
}
