import Dispatch
import Platform
import Synchronization

/// Ctrl-C, SIGTERM, and the loss of the terminal: the first signal is a request to end gracefully, another one ends the process
/// immediately.
final class Interruption: Sendable {
    private struct First {
        let status: ExitStatus
        let time: ContinuousClock.Instant
    }

    private struct Held {
        /// Closures that each stop the handling of one signal, and call back afterwards.
        var cancellations: [@Sendable (_ completion: @escaping @Sendable () -> Void) -> Void] = []
        var ignoredBefore: Set<Int32> = []
    }

    private let first = Mutex<First?>(nil)
    private let held = Mutex(Held())

    /// The interruption of the running command; nil in tests.
    @TaskLocal static var current: Interruption?

    /// The time within which signals count as one: `timeout`, `npm` and shells pass on signals that the terminal has also sent to the tool.
    /// A later signal ends the process.
    static let oneGo = Duration.milliseconds(300)

    /// The status; nil as long as there was no signal.
    var status: ExitStatus? { first.withLock { $0?.status } }

    /// Restores the terminal on SIGQUIT, from Ctrl-\ or another process, before the process ends immediately.
    private func restoreTerminalAtQuit() async {
        if ignores(SIGQUIT) { return }
        await handle(SIGQUIT) {
            RawTerminal.restore(forGood: true)
            var quit = sigset_t()
            sigemptyset(&quit)
            sigaddset(&quit, SIGQUIT)
            signal(SIGQUIT, SIG_DFL)
            pthread_sigmask(SIG_UNBLOCK, &quit, nil)
            raise(SIGQUIT)
            _exit(128 + SIGQUIT)
        }
    }

    /// Handles a signal. Returns when no further signal can be lost.
    private func handle(_ number: Int32, by handler: @escaping @Sendable () -> Void) async {
        nonisolated(unsafe) let source =  // its functions may be called by any thread
            DispatchSource.makeSignalSource(signal: number, queue: .global())
        held.withLock { $0.cancellations.append { source.cancel(reporting: $0) } }
        source.setEventHandler {
            handler()
            withExtendedLifetime(source) {}
        }
        await withCheckedContinuation { continuation in
            source.setRegistrationHandler { continuation.resume() }
            source.resume()
        }
    }

    /// Handles the signals until ``release()`` is called. No signal that arrives after the return is lost.
    func begin(heeding heed: @escaping @Sendable () -> Void) async {
        await restoreTerminalAtQuit()
        for (number, status) in [(SIGINT, ExitStatus.interrupted), (SIGTERM, .terminated), (SIGHUP, .hungUp)] {
            if ignores(number), number == SIGHUP { continue }
            await handle(number) { [self] in
                let now = ContinuousClock.now
                let earlier = first.withLock { first in
                    defer { first = first ?? First(status: status, time: now) }
                    return first
                }
                if let earlier {
                    // The loss of a terminal is reported twice, and there is no impatient user.
                    if number != SIGHUP, earlier.time.duration(to: now) > Self.oneGo {
                        RawTerminal.restore(forGood: true)
                        _exit(status.rawValue)
                    }
                } else {
                    heed()
                }
            }
        }
    }

    /// Stops handling signals, for a command that has set its own handlers. ``status`` stays as it is.
    func release() async {
        for cancel in held.withLock({ $0.cancellations }) {
            await withCheckedContinuation { continuation in cancel { continuation.resume() } }
        }
    }

    /// The signals that were ignored when the tool was started.
    var ignoredBefore: Set<Int32> { held.withLock { $0.ignoredBefore } }

    /// Ignores a signal from now on.
    ///
    /// - Returns: Whether it was ignored before, as `nohup` sets it for its child processes.
    private func ignores(_ number: Int32) -> Bool {
        let before = signal(number, SIG_IGN)
        guard Self.isIgnoring(before) else { return false }
        held.withLock { _ = $0.ignoredBefore.insert(number) }
        return true
    }

    private static func isIgnoring(_ handler: (@convention(c) (Int32) -> Void)?) -> Bool {
        unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)  // functions cannot be compared in Swift
    }
}

extension DispatchSourceSignal {
    fileprivate func cancel(reporting completion: @escaping @Sendable () -> Void) {
        setCancelHandler { completion() }
        cancel()
    }
}
