#if canImport(Darwin) || AUTHENTICATION_SERVICES_ON_LINUX
import WebAuthentication

/// One page in front of a person, from its place in the queue until its window is gone. The first of callback, error, time limit and
/// cancellation is its outcome; all of them come to the main actor for that.
@MainActor
final class Visit {
    typealias Outcome = Result<CallbackURL, WebAuthenticationError>

    private let page: Page
    private let clock: any Clock<Duration>
    private let makeWindow: @MainActor @Sendable () -> any SystemWindow
    private let judge: @Sendable (_ url: String) -> Outcome
    private let outcome = FirstValue<Outcome>()
    /// The system's word that the window is gone, or the end of waiting for that.
    private let gone = FirstValue<Void>()

    /// How long the next page waits for a window that was told to go; the system does not promise to say that it did.
    private static let farewell = Duration.seconds(2)
    /// Clocks trap on what they cannot count.
    private static let longestTimeout = Duration.seconds(365 * 86_400)

    /// - Parameter judge: Says whether the URL that the system brings is the callback.
    nonisolated init(
        _ page: Page, clock: any Clock<Duration>, makeWindow: @escaping @MainActor @Sendable () -> any SystemWindow,
        judge: @escaping @Sendable (_ url: String) -> Outcome
    ) {
        self.page = page
        self.clock = clock
        self.makeWindow = makeWindow
        self.judge = judge
    }

    /// Waits for its turn, shows the page, and returns as soon as the outcome is known. To be called once.
    func outcome(within timeout: Duration, in queue: WindowQueue) async -> Outcome {
        guard !Task.isCancelled else { return .failure(WebAuthenticationError(.cancelledByProgram)) }
        queue.add { await self.show() }
        let expiring = Task {
            guard (try? await clock.sleep(for: min(timeout, Self.longestTimeout))) != nil else { return }
            outcome.set(
                .failure(WebAuthenticationError(.timedOut, "the sign-in was not finished within \(timeout.components.seconds) seconds")))
        }
        defer { expiring.cancel() }
        return await outcome.wait()
    }

    func cancel() {
        outcome.set(.failure(WebAuthenticationError(.cancelledByProgram)))
    }

    /// Keeps the window alive while it is shown.
    private func show() async {
        guard outcome.value == nil else { return }
        let window = makeWindow()
        do {
            try window.open(page) { end in
                Task { @MainActor in self.windowEnded(with: end) }
            }
        } catch {
            outcome.set(.failure(error))
            return
        }
        _ = await outcome.wait()
        guard gone.value == nil else { return }
        window.close()
        let limit = Task {
            try? await clock.sleep(for: Self.farewell)
            gone.set(())
        }
        await gone.wait()
        limit.cancel()
    }

    private func windowEnded(with end: WindowEnd) {
        gone.set(())
        guard outcome.value == nil else { return }
        outcome.set(end.flatMap(judge))
    }
}
#endif
