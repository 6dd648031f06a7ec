internal import Synchronization

/// One sign-in in a browser: the first of callback, time limit, cancellation, closed window and failed opening ends it.
final class BrowserAttempt: WebAuthenticationAttempt {
    private typealias Outcome = Result<CallbackURL, WebAuthenticationError>

    private let listener: LoopbackListener
    private let opener: any PageOpener
    private let waitsWhenNotShown: Bool
    private let clock: any Clock<Duration>
    private let onShow: @Sendable (String) -> Void
    private let isUsed = Mutex(false)

    init(
        listener: LoopbackListener,
        opener: any PageOpener,
        waitsWhenNotShown: Bool,
        clock: any Clock<Duration>,
        onShow: @escaping @Sendable (String) -> Void
    ) {
        self.listener = listener
        self.opener = opener
        self.waitsWhenNotShown = waitsWhenNotShown
        self.clock = clock
        self.onShow = onShow
    }

    deinit {
        if !isUsed.withLock({ $0 }) { listener.abandon() }
    }

    var redirectURI: String { listener.redirectURI }

    func authenticate(_ request: WebAuthenticationRequest) async throws(WebAuthenticationError) -> ReceivedCallback {
        guard use() else {
            throw WebAuthenticationError(.cannotReceive, "this attempt has been used or closed; prepare another one")
        }
        let outcome = OneTimeValue<Outcome>()
        let window = OpenedWindow()
        let result = await withTaskCancellationHandler {
            await end(of: request, outcome, window)
        } onCancel: {
            outcome.settle(.failure(WebAuthenticationError(.cancelledByProgram)))
        }
        switch result {
        case .success(let callback):
            return ReceivedCallback(callback) { [listener, clock] page in
                await listener.conclude(ResultPage(page))
                await window.close(after: .seconds(1), clock)
            }
        case .failure(let error):
            await listener.close()
            await window.close()
            throw error
        }
    }

    func close() async {
        if use() { await listener.close() }
    }

    private func use() -> Bool {
        isUsed.withLock { isUsed in
            defer { isUsed = true }
            return !isUsed
        }
    }

    private func end(of request: WebAuthenticationRequest, _ outcome: OneTimeValue<Outcome>, _ window: OpenedWindow) async -> Outcome {
        guard !Task.isCancelled else { return await outcome.value }
        listener.expect(request.expects) { outcome.settle(.success($0)) }
        onShow(request.url)
        // Neither is waited for: an opener that does not heed its cancellation must not hold the outcome up.
        let showing = Task { await self.show(request.url, outcome, window) }
        let expiring = Task { [clock] in
            guard (try? await clock.sleep(for: request.timeout)) != nil else { return }
            outcome.settle(.failure(WebAuthenticationError(.timedOut, "nobody finished within \(request.timeout)")))
        }
        defer {
            showing.cancel()
            expiring.cancel()
        }
        return await outcome.value
    }

    private func show(_ url: String, _ outcome: OneTimeValue<Outcome>, _ window: OpenedWindow) async {
        let failure: WebAuthenticationError
        do {
            guard let opened = try await opener.openWindow(url) else { return }
            await window.opened(opened)
            failure = await opened.closed()
        } catch {
            failure = error
        }
        if failure.code != .cannotShow || !waitsWhenNotShown { outcome.settle(.failure(failure)) }
    }
}

/// The window of an attempt, closed with it whichever comes first, window or end.
private final class OpenedWindow: Sendable {
    private struct State: Sendable {
        var window: (any BrowserWindow)?
        var isClosed = false
    }

    private let state = Mutex(State())

    func opened(_ window: any BrowserWindow) async {
        let isClosed = state.withLock { state in
            state.window = window
            return state.isClosed
        }
        if isClosed { await window.close() }
    }

    /// - Parameter delay: Time for the person to see the last page.
    func close(after delay: Duration = .zero, _ clock: any Clock<Duration> = .continuous) async {
        let window = state.withLock { state in
            state.isClosed = true
            return state.window
        }
        guard let window else { return }
        if delay > .zero { try? await clock.sleep(for: delay) }
        await window.close()
    }
}
