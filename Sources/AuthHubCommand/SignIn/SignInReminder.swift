/// What a user reads who has not finished after a minute, in a browser whose closed pages cannot be seen.
struct SignInReminder {
    /// Whether the address that the browser ends at can be given by hand.
    let canPaste: Bool
    /// Whether the page shows what is to be pasted.
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
    /// - Parameter explanation: What arrived during a sign-in and was not accepted.
    func tellIgnored(_ explanation: String) {
        say("\(style("note:", .yellow)) \(explanation)")
    }
}
