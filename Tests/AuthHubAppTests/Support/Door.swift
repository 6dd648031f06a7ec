@testable import AuthHubTesting

/// A gate where a task waits until the test opens it, or the task is cancelled.
final class Door: Sendable {
    private let reached = Latch<Void>()
    private let opened = Latch<Void>()

    func pass() async {
        reached.open(())
        _ = await opened.wait()
    }

    /// Returns as soon as a task waits here, or has waited here before.
    func untilReached() async { _ = await reached.wait() }

    func open() { opened.open(()) }
}
