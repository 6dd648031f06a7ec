import Platform

/// The size of a terminal.
struct TerminalRoom: Sendable, Hashable {
    let columns: Int
    let lines: Int

    /// Returns the size; nil if standard error is not a terminal, or its size is unknown.
    static func ofStandardError() -> Self? {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        return Self(columns: Int(size.ws_col), lines: Int(size.ws_row))
    }

    /// Returns whether the locale supports characters beyond ASCII (POSIX.1-2017, XBD §8.2).
    static func isUnicode(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let name = locale.lowercased()
        return name.contains("utf-8") || name.contains("utf8")
    }
}
