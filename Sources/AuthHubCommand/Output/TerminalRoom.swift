#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// How much a terminal can show.
struct TerminalRoom: Sendable, Hashable {
    let columns: Int
    let lines: Int

    /// nil where standard error is no terminal, or one that does not tell.
    static func ofStandardError() -> Self? {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        return Self(columns: Int(size.ws_col), lines: Int(size.ws_row))
    }

    /// Whether more than ASCII can be shown, by the locale (POSIX.1-2017, XBD §8.2).
    static func isUnicode(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let name = locale.lowercased()
        return name.contains("utf-8") || name.contains("utf8")
    }
}
