#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A question that a person answers with yes or no.
struct Confirmation: Sendable {
    let console: Console

    /// - Returns: False also where there is nobody to ask.
    func asks(_ question: String) async throws(Failure) -> Bool {
        guard console.isInteractive, isatty(STDIN_FILENO) == 1 else { return false }
        console.say("\(question) Type yes, or press Return for no:")
        return ["y", "yes"].contains(try InputFile.line().lowercased())
    }
}
