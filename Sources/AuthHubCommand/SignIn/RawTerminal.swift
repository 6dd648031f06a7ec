import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The terminal on standard input, without echo and line editing; Ctrl-C still interrupts.
struct RawTerminal {
    /// How the terminal was, while it is changed.
    private static let before = Mutex<termios?>(nil)

    /// nil where it is none, or this process stands in the background, which may not change it.
    init?() {
        guard tcgetpgrp(STDIN_FILENO) == getpgrp() else { return nil }
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
        Self.before.withLock { [settings] in $0 = $0 ?? settings }
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        guard tcsetattr(STDIN_FILENO, TCSANOW, &settings) == 0 else { return nil }
    }

    /// Puts the terminal back where it was changed; to be called before the process ends, too.
    static func restore() {
        before.withLock { before in
            guard var settings = before else { return }
            before = nil
            _ = tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        }
    }

    /// The next byte; nil at the end, or when nothing more is wanted.
    func nextByte(until cancellation: CancellationFlag, every milliseconds: Int32) -> UInt8? {
        var interest = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        while !cancellation.isSet {
            let count = poll(&interest, 1, milliseconds)
            if count == 0 || (count < 0 && errno == EINTR) { continue }
            var byte: UInt8 = 0
            return count > 0 && systemRead(&byte) == 1 ? byte : nil
        }
        return nil
    }
}

private func systemRead(_ byte: inout UInt8) -> Int {
    read(STDIN_FILENO, &byte, 1)
}

/// Tells a thread that nothing more is wanted of it.
final class CancellationFlag: Sendable {
    private let flag = Mutex(false)

    var isSet: Bool { flag.withLock { $0 } }

    func set() {
        flag.withLock { $0 = true }
    }
}
