@testable import AuthHubTesting

/// Where something waits until the test lets it go on, or it is cancelled.
final class Door: Sendable {
    private let reached = Latch<Void>()
    private let opened = Latch<Void>()

    func pass() async {
        reached.open(())
        _ = await opened.wait()
    }

    /// Returns when something waits here, or has.
    func untilReached() async { _ = await reached.wait() }

    func open() { opened.open(()) }
}
