import Dispatch
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Ctrl-C and SIGTERM: the first is a request to end in order, the second ends the process on the spot.
final class Interruption: Sendable {
    private let received = Mutex<ExitStatus?>(nil)

    /// nil while there was none.
    var status: ExitStatus? { received.withLock { $0 } }

    /// Takes the signals over for the rest of the process.
    func begin(heeding heed: @escaping @Sendable () -> Void) {
        for (number, status) in [(SIGINT, ExitStatus.interrupted), (SIGTERM, .terminated)] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { [self] in
                let isFirst = received.withLock { received in
                    defer { received = received ?? status }
                    return received == nil
                }
                if isFirst {
                    heed()
                } else {
                    RawTerminal.restore()
                    _exit(status.rawValue)
                }
                withExtendedLifetime(source) {}
            }
            source.resume()
        }
    }
}
