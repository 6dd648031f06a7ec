import Synchronization

/// A stub for the system: it shows the windows of one test, which simulates the user.
public final class PretendSystem: Sendable {
    /// The system that a task's sessions belong to.
    @TaskLocal public static var current: PretendSystem?

    /// Whether sessions start.
    public let starts: Bool
    private let windows = AsyncStream<PretendWindow>.makeStream()
    private let unseen = Mutex(0)

    public init(starts: Bool = true) {
        self.starts = starts
    }

    /// Waits for the next window that is opened, and returns it; nil if the task is cancelled.
    public func nextWindow() async -> PretendWindow? {
        var iterator = windows.stream.makeAsyncIterator()
        let window = await iterator.next()
        if window != nil { unseen.withLock { $0 -= 1 } }
        return window
    }

    public func opened(_ window: PretendWindow) {
        unseen.withLock { $0 += 1 }
        windows.continuation.yield(window)
    }

    /// Whether no unexpected window is open, after the main actor has finished its earlier work.
    @MainActor
    public func hasNoWindow() async -> Bool {
        for _ in 1...10 { await Task.yield() }
        return unseen.withLock { $0 == 0 }
    }
}
