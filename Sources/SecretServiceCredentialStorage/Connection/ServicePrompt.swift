#if !canImport(Darwin)
import CredentialStorage
import Dispatch
import Synchronization

/// A prompt that the service shows to the user.
struct ServicePrompt: Sendable {
    private static let interface = "org.freedesktop.Secret.Prompt"
    private static let bus = "org.freedesktop.DBus"
    /// The path which means that no prompt is needed.
    static let none = "/"

    let path: String
    let session: ServiceSession
}

extension ServicePrompt {
    /// Shows the prompt and waits for the user.
    ///
    /// - Throws: ``CredentialStoreError`` with `.dismissed`, even if no prompt can be shown; with `.timedOut` or `.cancelled`, and the
    ///   prompt is closed.
    func perform(waitingAtMost timeout: Duration) throws(CredentialStoreError) {
        let library = session.library
        guard library.variants.isObjectPath(path) != 0, let context = library.loops.new() else { throw ServiceFailure(.other).storeError }
        library.loops.enter(context)
        defer {
            library.loops.leave(context)
            library.loops.release(context)
        }
        let answer = PromptAnswer(library)
        let connection = session.link.connection.pointer
        let receiver = Unmanaged.passUnretained(answer).toOpaque()
        let subscriptions = [
            library.bus.subscribe(connection, nil, Self.interface, "Completed", path, nil, 0, Self.completed, receiver, nil),
            library.bus.subscribe(
                connection, Self.bus, Self.bus, "NameOwnerChanged", "/org/freedesktop/DBus", ServiceLink.owner, 0, Self.ownerChanged,
                receiver, nil),
        ]
        defer {
            for subscription in subscriptions { library.bus.unsubscribe(connection, subscription) }
            withExtendedLifetime(answer) {}
        }
        _ = try session.call("Prompt", of: Self.interface, at: path, [library.text("")], reply: "()")
        switch wait(for: answer, in: context, atMost: timeout) {
        case .accepted: return
        case .dismissed: throw ServiceFailure(.dismissed).storeError
        case .serviceGone: throw ServiceFailure(.disconnected).storeError
        case nil:
            dismiss()
            throw ServiceFailure(session.calls.cancellation.isCancelled ? .cancelled : .nobodyAnswered).storeError
        }
    }

    /// Closes the prompt, even for a cancelled task, and waits for at most a second: the connection may end with the task.
    func dismiss() {
        let calls = ServiceCalls(library: session.library, limit: .seconds(1), cancellation: Cancellation())
        _ = try? ServiceSession(calls: calls, link: session.link).call("Dismiss", of: Self.interface, at: path, [], reply: "()")
    }

    /// Waits for the user.
    ///
    /// - Returns: nil if the time is over, or the task was cancelled.
    private func wait(for answer: PromptAnswer, in context: LibSecret.Pointer, atMost timeout: Duration) -> PromptAnswer.Outcome? {
        let loops = session.library.loops
        let deadline = ContinuousClock.now + timeout.boundedWait
        let waker = Waker(context, loops)
        let timer = DispatchSource.makeTimerSource(queue: Self.timers)
        // Otherwise, only the user's response wakes the loop.
        timer.schedule(deadline: .now() + .milliseconds(100), repeating: .milliseconds(100))
        timer.setEventHandler { waker.wake() }
        timer.resume()
        defer {
            timer.cancel()
            waker.stop()
        }
        while ContinuousClock.now < deadline, !session.calls.cancellation.isCancelled {
            if let outcome = answer.outcome { return outcome }
            if session.link.isClosed { return .serviceGone }
            _ = loops.turn(context, 1)
        }
        return answer.outcome
    }

    private static let timers = DispatchQueue(label: "authhub.secret-service.prompts")

    private static let completed: LibSecret.SignalHandler = { _, _, _, _, _, values, receiver in
        guard let values, let receiver else { return }
        Unmanaged<PromptAnswer>.fromOpaque(receiver).takeUnretainedValue().complete(values)
    }

    private static let ownerChanged: LibSecret.SignalHandler = { _, _, _, _, _, _, receiver in
        guard let receiver else { return }
        Unmanaged<PromptAnswer>.fromOpaque(receiver).takeUnretainedValue().come(.serviceGone)
    }
}

private final class PromptAnswer: Sendable {
    enum Outcome: Sendable { case accepted, dismissed, serviceGone }

    private let library: LibSecret
    private let state = Mutex<Outcome?>(nil)

    init(_ library: LibSecret) {
        self.library = library
    }

    var outcome: Outcome? { state.withLock { $0 } }

    func complete(_ values: LibSecret.Pointer) {
        let isDismissed = Variant(values, of: library)?.children.first?.boolean
        come(isDismissed == false ? .accepted : .dismissed)
    }

    func come(_ outcome: Outcome) {
        state.withLock { $0 = $0 ?? outcome }
    }
}

/// A handle that wakes a loop from another thread, as long as the loop exists.
private final class Waker: Sendable {
    private struct Context: @unchecked Sendable {  // GMainContext may be woken from any thread
        let pointer: LibSecret.Pointer
    }

    private let context: Mutex<Context?>
    private let loops: LibSecret.Loops

    init(_ pointer: LibSecret.Pointer, _ loops: LibSecret.Loops) {
        context = Mutex(Context(pointer: pointer))
        self.loops = loops
    }

    func wake() { context.withLock { if let context = $0 { loops.wake(context.pointer) } } }
    func stop() { context.withLock { $0 = nil } }
}
#endif
