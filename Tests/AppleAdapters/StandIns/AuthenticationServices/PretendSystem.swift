import Synchronization

/// Replaces the system: shows the windows of one test, which plays the user.
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

    /// The next window that was opened; waits for it. Nil if the task is cancelled.
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

    /// Whether no unexpected window is open, once the main actor has done its earlier work.
    @MainActor
    public func hasNoWindow() async -> Bool {
        for _ in 1...10 { await Task.yield() }
        return unseen.withLock { $0 == 0 }
    }
}
