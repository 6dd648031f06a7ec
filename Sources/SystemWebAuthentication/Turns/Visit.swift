#if canImport(Darwin) || AUTHENTICATION_SERVICES_ON_LINUX
import WebAuthentication

/// A page that is shown to the user, from when it is queued until its window is closed. The first of callback, error, timeout and
/// cancellation is its outcome; all of them are handled on the main actor.
@MainActor
final class Visit {
    typealias Outcome = Result<CallbackURL, WebAuthenticationError>

    private let page: Page
    private let clock: any Clock<Duration>
    private let makeWindow: @MainActor @Sendable () -> any SystemWindow
    private let validate: @Sendable (_ url: String) -> Outcome
    private let outcome = FirstValue<Outcome>()
    /// The system's notification that the window is closed, or the end of the wait for it.
    private let gone = FirstValue<Void>()

    /// How long the next page waits for a window to close; the system does not guarantee a notification.
    private static let farewell = Duration.seconds(2)
    /// A limit because clocks trap on very large durations.
    private static let longestTimeout = Duration.seconds(365 * 86_400)

    /// Creates a visit.
    ///
    /// - Parameter validate: Checks whether the URL from the system is the callback.
    nonisolated init(
        _ page: Page, clock: any Clock<Duration>, makeWindow: @escaping @MainActor @Sendable () -> any SystemWindow,
        validate: @escaping @Sendable (_ url: String) -> Outcome
    ) {
        self.page = page
        self.clock = clock
        self.makeWindow = makeWindow
        self.validate = validate
    }

    /// Waits for its turn, shows the page, and returns as soon as the outcome is known. Must be called only once.
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

    /// Shows the page and keeps the window alive while it is open.
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
        outcome.set(end.flatMap(validate))
    }
}
#endif
