import Platform

/// The terminal that the user started a program from, even if the standard streams of this process lead to that program.
enum ControllingTerminal {
    /// Connects standard input and standard error with the terminal, for the rest of this process.
    ///
    /// - Returns: false if there is no terminal, or another program is using it.
    static func connect() -> Bool {
        guard let terminal = openInForeground() else { return false }
        defer { close(terminal) }
        return dup2(terminal, STDIN_FILENO) >= 0 && (isatty(STDERR_FILENO) == 1 || dup2(terminal, STDERR_FILENO) >= 0)
    }

    /// Whether there is a terminal whose user can answer this process.
    static var isAvailable: Bool {
        guard let terminal = openInForeground() else { return false }
        close(terminal)
        return true
    }

    private static func openInForeground() -> Int32? {
        let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        // A process in the background would be stopped when it reads.
        guard tcgetpgrp(terminal) == getpgrp() else {
            close(terminal)
            return nil
        }
        return terminal
    }
}
