import AuthHubPrimitives
import Synchronization

/// A sign-in in a browser: the first of callback, timeout, cancellation, closed window and failure to open ends it.
final class BrowserAttempt: WebAuthenticationAttempt {
    private typealias Outcome = Result<Arrival, WebAuthenticationError>
    /// A callback, and whether no browser is waiting for a response to it.
    private struct Arrival: Sendable {
        let callback: CallbackURL
        var isPasted = false
    }
    /// The window, or nil if there is none to observe; settled when the opener has returned.
    private typealias Window = OneTimeValue<(any BrowserWindow)?>

    private let receiver: any CallbackReceiver
    private let opener: any PageOpener
    private let waitsWhenNotShown: Bool
    private let waitsWhenNotPasted: Bool
    private let clock: any Clock<Duration>
    private let pastePrompt: PastePrompt?
    private let onShow: @Sendable (String) -> Void
    private let onNotShown: @Sendable (WebAuthenticationError) -> Void
    private let onIgnored: @Sendable (String) -> Void
    private let onWait: (@Sendable () -> Void)?
    private let start: StartListener
    private let isUsed = Mutex(false)
    /// The ignored callbacks that have been reported to the program while it waited.
    private let told = Mutex(IgnoredCallbacks())
    /// The request whose page is shown.
    private let shown = Mutex<WebAuthenticationRequest?>(nil)

    /// A limit because clocks trap on very large durations.
    private static let longestTimeout = Duration.seconds(365 * 86_400)
    /// How long it waits before it calls ``onWait``.
    static let patience = Duration.seconds(60)

    init(
        receiver: any CallbackReceiver,
        opener: any PageOpener,
        waitsWhenNotShown: Bool,
        waitsWhenNotPasted: Bool,
        clock: any Clock<Duration>,
        pastePrompt: PastePrompt?,
        onShow: @escaping @Sendable (String) -> Void,
        onNotShown: @escaping @Sendable (WebAuthenticationError) -> Void,
        onIgnored: @escaping @Sendable (String) -> Void,
        onWait: (@Sendable () -> Void)?
    ) {
        self.receiver = receiver
        self.opener = opener
        self.waitsWhenNotShown = waitsWhenNotShown
        self.waitsWhenNotPasted = waitsWhenNotPasted
        self.clock = clock
        self.pastePrompt = pastePrompt
        self.onShow = onShow
        self.onNotShown = onNotShown
        self.onIgnored = onIgnored
        self.onWait = onWait
        start = StartListener(clock: clock)
    }

    deinit {
        if !isUsed.withLock({ $0 }) { receiver.abandon() }
    }

    var redirectURI: String { receiver.redirectURI }

    func authenticate(_ request: WebAuthenticationRequest) async throws(WebAuthenticationError) -> ReceivedCallback {
        guard use() else {
            throw WebAuthenticationError(.cannotReceive, "this attempt was already used or closed; prepare another one")
        }
        guard receiver.responseModes.contains(request.responseMode) else {
            await receiver.close()
            throw WebAuthenticationError(
                .cannotReceive, "forms cannot be posted to \(receiver.redirectURI.prefix { $0 != ":" }): URLs; use a loopback redirect URI")
        }
        guard receiver is PinPage == false || pastePrompt != nil else {
            throw WebAuthenticationError(
                .cannotReceive, "the provider's page shows text to paste, and there is no prompt for it; set a paste prompt")
        }
        let outcome = OneTimeValue<Outcome>()
        let window = Window()
        let result = await withTaskCancellationHandler {
            await end(of: request, outcome, window)
        } onCancel: {
            outcome.settle(.failure(WebAuthenticationError(.cancelledByProgram)))
        }
        shown.withLock { $0 = nil }
        let ignored = ignored
        report(ignored, unlessIn: result)
        switch result {
        case .success(let arrival) where arrival.isPasted:
            return ReceivedCallback(arrival.callback) { [self] _ in
                await receiver.close()
                await start.close()
                await close(window)
            }
        case .success(let arrival):
            return ReceivedCallback(arrival.callback) { [self] page in
                await receiver.conclude(page)
                await start.close()
                await close(window, after: .seconds(1))
            }
        case .failure(let error):
            await receiver.close()
            await start.close()
            await close(window)
            throw error.afterIgnoring(ignored)
        }
    }

    private var ignored: IgnoredCallbacks { receiver.ignored + start.ignored }

    /// Reports ignored callbacks that no error reports to the caller, and that were not reported while it waited: after a cancellation, the
    /// caller's task usually continues.
    private func report(_ ignored: IgnoredCallbacks, unlessIn outcome: Outcome) {
        if case .failure(let error) = outcome, error.code != .cancelledByProgram { return }
        if ignored != told.withLock({ $0 }), let explanation = ignored.explanation { onIgnored(explanation) }
    }

    /// Reports the first callback of each kind immediately, and counts the others.
    private func tell(_ request: WebAuthenticationRequest) {
        let ignored = ignored
        let isNew = told.withLock { told in
            guard ignored.holdsAnotherKind(than: told) else { return false }
            told = ignored
            return true
        }
        guard isNew, let explanation = ignored.explanation else { return }
        onIgnored(explanation)
        request.onIgnored(ignored)
    }

    func showAgain() async throws(WebAuthenticationError) {
        guard !opener.capabilities.knowsCancel, let request = shown.withLock({ $0 }) else { return }
        _ = try await open(request)
    }

    func close() async {
        if use() { await receiver.close() }
    }

    private func use() -> Bool {
        isUsed.withLock { isUsed in
            defer { isUsed = true }
            return !isUsed
        }
    }

    private func end(of request: WebAuthenticationRequest, _ outcome: OneTimeValue<Outcome>, _ window: Window) async -> Outcome {
        guard !Task.isCancelled else {
            window.settle(nil)
            return await outcome.value
        }
        receiver.expect(by: request.responseMode, request.expects) {
            outcome.settle(.success(Arrival(callback: $0)))
        } ignore: { [self] in
            if receiver.isPrivate { outcome.settle(.failure(.unexpectedCallback)) } else { tell(request) }
        }
        onShow(request.url)
        shown.withLock { $0 = request }
        // Report the callbacks that have arrived since the port was bound.
        tell(request)
        // Do not await these tasks: an opener that ignores its cancellation must not delay the outcome.
        let showing = Task { await self.show(request, outcome, window) }
        let expiring = Task { [clock] in
            guard (try? await clock.sleep(for: min(request.timeout, Self.longestTimeout))) != nil else { return }
            outcome.settle(.failure(WebAuthenticationError(.timedOut, "the sign-in was not finished within \(request.timeout.inWords)")))
        }
        let reminding = onWait.flatMap { onWait in
            opener.capabilities.knowsCancel
                ? nil
                : Task { [clock] in
                    if (try? await clock.sleep(for: Self.patience)) != nil { onWait() }
                }
        }
        let pasting = pastePrompt.map { prompt in Task { await self.paste(from: prompt, request, outcome) } }
        defer {
            showing.cancel()
            expiring.cancel()
            reminding?.cancel()
            pasting?.cancel()
        }
        return await outcome.value
    }

    private func paste(from prompt: PastePrompt, _ request: WebAuthenticationRequest, _ outcome: OneTimeValue<Outcome>) async {
        let pasted = PastedCallback(redirectURI: receiver.redirectURI, responseMode: request.responseMode, isPinPage: receiver is PinPage)
        var problem: String?
        while !Task.isCancelled {
            let text: Secret<String>
            do throws(WebAuthenticationError) {
                guard let answer = try await prompt(problem) else { break }
                text = answer
            } catch {
                outcome.settle(.failure(error))
                return
            }
            do throws(PastedCallback.Problem) {
                let callback = try pasted.read(text)
                if request.expects(callback) {
                    outcome.settle(.success(Arrival(callback: callback, isPasted: true)))
                    return
                }
                problem =
                    pasted.isPinPage
                    ? "this is not the text that the page shows; paste all of that text and nothing else"
                    : "this URL belongs to another sign-in; paste the one that this sign-in's page redirected to"
            } catch {
                problem = error.explanation
            }
        }
        if !waitsWhenNotPasted {
            outcome.settle(
                .failure(WebAuthenticationError(.cannotReceive, "nothing more can be pasted, and no callback will arrive")))
        } else if pasted.isPinPage {
            // A pin page never receives a callback.
            outcome.settle(.failure(WebAuthenticationError(.cancelledByUser, "the text on the page was not pasted")))
        }
    }

    private func show(_ request: WebAuthenticationRequest, _ outcome: OneTimeValue<Outcome>, _ window: Window) async {
        let failure: WebAuthenticationError
        do {
            let opened = try await open(request)
            window.settle(opened)
            guard let opened else { return }
            failure = await opened.closed()
            // The user may have copied the page's code already.
            if receiver is PinPage, failure.code == .cancelledByUser { return }
        } catch {
            window.settle(nil)
            failure = error
        }
        if failure.code != .cannotShow || !waitsWhenNotShown {
            outcome.settle(.failure(failure))
        } else if !Task.isCancelled {
            onNotShown(failure)
        }
    }

    private func open(_ request: WebAuthenticationRequest) async throws(WebAuthenticationError) -> (any BrowserWindow)? {
        let page = page(at: try ShownURL(request.url))
        let headerFields = try request.checkedHeaderFields()
        if !headerFields.isEmpty {
            guard let opener = opener as? any HeaderFieldSending else { throw .sendsNoHeaderFields }
            return try await opener.openWindow(page, headerFields: headerFields)
        }
        if let opener = opener as? any PrivatelyOpening { return try await opener.openWindow(page) }
        return try await opener.openWindow(page.address().text)
    }

    private func page(at url: ShownURL) -> PageToShow {
        switch receiver {
        // With a pin page, no other user can send a callback, because the user pastes the code from the page.
        case is PinPage: PageToShow(openly: url)
        case let listener as LoopbackListener:
            PageToShow(url) { () throws(WebAuthenticationError) in listener.start(leadingTo: url) }
        default:
            PageToShow(url) { [start] () throws(WebAuthenticationError) in try await start.address(leadingTo: url) }
        }
    }

    /// Closes the window and waits for it, so that nothing of it remains if the program ends now.
    ///
    /// - Parameter delay: Time for the user to see the last page.
    private func close(_ window: Window, after delay: Duration = .zero) async {
        // An opener without windows may not have returned yet, and is not waited for.
        guard opener.capabilities.knowsCancel, let window = await window.value else { return }
        if delay > .zero { try? await clock.sleep(for: delay) }
        await window.close()
    }
}
