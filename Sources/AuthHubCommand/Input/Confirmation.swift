import Platform

/// A yes-or-no question to the user.
struct Confirmation: Sendable {
    let console: Console

    /// Asks the question.
    ///
    /// - Returns: False even if there is no one to ask.
    func asks(_ question: String) async throws(Failure) -> Bool {
        guard console.isInteractive, isatty(STDIN_FILENO) == 1 else { return false }
        console.say("\(question) Type yes, or press Return for no:")
        return ["y", "yes"].contains(try InputFile.line().lowercased())
    }
}
