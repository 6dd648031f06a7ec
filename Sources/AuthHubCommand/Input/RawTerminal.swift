import AuthHubPrimitives
import Platform
import Synchronization

/// The terminal on standard input, without echo and line editing as long as this process is in the foreground.
///
/// Ctrl-C still interrupts; Ctrl-Z and Ctrl-\ are read as bytes, so that the terminal is restored before the process stops or ends.
struct RawTerminal {
    enum Input {
        case byte(UInt8)
        /// The process was stopped or in the background, and is in the foreground again: the user may not remember the question, and have
        /// typed something else.
        case resumed
    }

    private struct State {
        /// The original settings of the terminal, while they are changed.
        var before: termios?
        /// Whether the process is about to end: a thread that still reads must not change the terminal any more.
        var isOver = false
    }

    private static let state = StaticMutex(State())

    /// Opens the terminal; nil if this process has none on standard input.
    init?() {
        guard tcgetpgrp(STDIN_FILENO) >= 0 else { return nil }
    }

    /// Hides typed characters from now on, before the first byte is read.
    func hide() { _ = Self.hold() }

    /// Restores the terminal's settings if they were changed.
    ///
    /// - Parameter forGood: Whether the process is about to end.
    static func restore(forGood: Bool = false) {
        state.withLock { state in
            state.isOver = state.isOver || forGood
            guard var settings = state.before else { return }
            state.before = nil
            // In the background, the terminal belongs to another process, and changing it would stop this process.
            if isInForeground { _ = tcsetattr(STDIN_FILENO, TCSANOW, &settings) }
        }
    }

    /// Returns whether the terminal is ours now, and in raw mode: shells change it while a process is stopped.
    private static func hold() -> Bool {
        state.withLock { state in
            var settings = termios()
            guard !state.isOver, isInForeground, tcgetattr(STDIN_FILENO, &settings) == 0 else { return false }
            let edited = tcflag_t(ICANON | ECHO)
            if state.before != nil, settings.c_lflag & edited == 0 { return true }
            state.before = settings
            settings.c_lflag &= ~(edited | tcflag_t(IEXTEN))
            for index in [VSUSP, VQUIT] { settings[control: index] = disabledControl }
            // Ctrl-C discards what was typed: a read must not wait for input that has just been discarded.
            for index in [VMIN, VTIME] { settings[control: index] = 0 }
            return tcsetattr(STDIN_FILENO, TCSANOW, &settings) == 0
        }
    }

    private static var isInForeground: Bool { tcgetpgrp(STDIN_FILENO) == getpgrp() }

    /// Waits for typed input; nil at the end, or if no more input is needed.
    func next(until cancellation: CancellationFlag, every milliseconds: Int32) -> Input? {
        var wasAway = false
        while !cancellation.isSet {
            guard tcgetpgrp(STDIN_FILENO) >= 0 else { return nil }
            guard Self.hold() else {
                // Reading in the background would stop this process.
                wasAway = true
                _ = poll(nil, 0, milliseconds)
                continue
            }
            guard !wasAway else { return .resumed }
            guard hasInput(within: milliseconds) else { continue }
            var byte: UInt8 = 0
            let count = systemRead(&byte)
            if count < 0 && errno == EINTR { continue }
            if count == 0 { continue }
            guard count == 1 else { return nil }
            guard let signal = Self.signal(of: byte) else { return .byte(byte) }
            Self.restore()
            // To the whole process group, as the terminal does.
            kill(0, signal)
            _ = poll(nil, 0, Self.signalMilliseconds)
            wasAway = true
        }
        return nil
    }

    /// Whether a byte is available already.
    var hasMore: Bool { hasInput(within: 0) }

    /// Discards typed input that was not read.
    func discardInput() {
        if Self.isInForeground { tcflush(STDIN_FILENO, TCIFLUSH) }
    }

    /// How long a signal may take to arrive.
    private static let signalMilliseconds: Int32 = 200

    private func hasInput(within milliseconds: Int32) -> Bool {
        var interest = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        return poll(&interest, 1, milliseconds) > 0
    }

    /// Returns the signal that the terminal would have sent for this byte.
    private static func signal(of byte: UInt8) -> Int32? {
        guard byte != disabledControl, var before = state.withLock({ $0.before }) else { return nil }
        if byte == before[control: VSUSP] { return SIGTSTP }
        return byte == before[control: VQUIT] ? SIGQUIT : nil
    }

    #if canImport(Darwin)
    private static let disabledControl: UInt8 = 0xFF
    #else
    private static let disabledControl: UInt8 = 0
    #endif
}

extension termios {
    fileprivate subscript(control index: Int32) -> UInt8 {
        mutating get { withUnsafeBytes(of: &c_cc) { $0[Int(index)] } }
        set { withUnsafeMutableBytes(of: &c_cc) { $0[Int(index)] = newValue } }
    }
}

private func systemRead(_ byte: inout UInt8) -> Int {
    read(STDIN_FILENO, &byte, 1)
}

/// A flag that tells a thread to stop.
final class CancellationFlag: Sendable {
    private let flag = Mutex(false)

    var isSet: Bool { flag.withLock { $0 } }

    func set() {
        flag.withLock { $0 = true }
    }
}
