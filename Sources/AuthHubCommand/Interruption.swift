import Dispatch
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Ctrl-C, SIGTERM, and the loss of the terminal: the first signal is a request to end gracefully, another one ends the process
/// immediately.
final class Interruption: Sendable {
    private struct First {
        let status: ExitStatus
        let time: ContinuousClock.Instant
    }

    private let first = Mutex<First?>(nil)

    /// The time within which signals count as one: `timeout`, `npm` and shells pass on signals that the terminal has also sent to the tool.
    /// A later signal ends the process.
    static let oneGo = Duration.milliseconds(300)

    /// The status; nil as long as there was no signal.
    var status: ExitStatus? { first.withLock { $0?.status } }

    /// Restores the terminal on SIGQUIT, from Ctrl-\ or another process, before the process ends immediately.
    private static func restoreTerminalAtQuit() async {
        if isIgnoring(signal(SIGQUIT, SIG_IGN)) { return }
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
    private static func handle(_ number: Int32, by handler: @escaping @Sendable () -> Void) async {
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler {
            handler()
            withExtendedLifetime(source) {}
        }
        await withCheckedContinuation { continuation in
            source.setRegistrationHandler { continuation.resume() }
            source.resume()
        }
    }

    /// Takes over the signals for the rest of the process. No signal that arrives after the return is lost.
    func begin(heeding heed: @escaping @Sendable () -> Void) async {
        await Self.restoreTerminalAtQuit()
        for (number, status) in [(SIGINT, ExitStatus.interrupted), (SIGTERM, .terminated), (SIGHUP, .hungUp)] {
            let before = signal(number, SIG_IGN)
            if number == SIGHUP, Self.isIgnoring(before) { continue }
            await Self.handle(number) { [self] in
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

    /// Returns whether a signal is ignored, as `nohup` sets it for its child processes.
    private static func isIgnoring(_ handler: (@convention(c) (Int32) -> Void)?) -> Bool {
        unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)  // functions cannot be compared in Swift
    }
}
