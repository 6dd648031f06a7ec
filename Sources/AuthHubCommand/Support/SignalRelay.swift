import CLinux
import Platform

/// Passes the signals of this process on to a child process of the same process group.
///
/// The terminal sends the signals of its keys to the whole group, so these are not passed on: the child process receives each of them once.
enum SignalRelay {
    static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2]

    /// The signals that this process ignores.
    static var ignored: Set<Int32> { Set((1...31).filter { signal_is_ignored($0) == 1 }) }

    /// Starts passing signals on, except those that were ignored when the tool was started; both processes go on ignoring these.
    static func start(ignoring ignored: Set<Int32>) {
        for number in signals {
            if ignored.contains(number) {
                signal(number, SIG_IGN)
            } else {
                _ = signal_relay_add(number)
            }
        }
    }

    /// Whether SIGTERM has arrived.
    static var termHasArrived: Bool { signal_relay_has_ended() == 1 }

    /// Whether a signal that usually ends a process has arrived since this was last read, and since the last call of ``forgetEnd()``.
    static var endHasArrived: Bool { signal_relay_take_end() == 1 }

    /// Ignores the signals that have arrived so far in ``endHasArrived``.
    static func forgetEnd() { _ = signal_relay_take_end() }
}
