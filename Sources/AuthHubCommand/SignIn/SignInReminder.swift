/// The message to a user who has not finished after a minute, with a browser whose closed pages cannot be detected.
struct SignInReminder {
    /// Whether the user can paste the final URL.
    let canPaste: Bool
    /// Whether the page shows the code to paste.
    let isPinPage: Bool

    var text: String {
        let paste =
            isPinPage ? ", press p to paste what it shows" : canPaste ? ", press p to paste the URL that the browser was redirected to" : ""
        return "Still waiting. If you closed the page, open the URL above again\(paste), or press Ctrl-C to cancel."
    }

    func show(on console: Console) {
        if console.format == .text { console.say(console.style(text, .faint)) }
    }
}

extension Console {
    /// Reports ignored callbacks.
    ///
    /// - Parameter explanation: What arrived during a sign-in and was not accepted.
    func tellIgnored(_ explanation: String) {
        say("\(style("note:", .yellow)) \(explanation)")
    }
}
