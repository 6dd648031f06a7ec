import AuthHubPrimitives

/// What goes over the socket of a ``CallbackMailbox``: one line there, the callback; one line back, what became of it.
enum CallbackMessage {
    /// The longest line.
    static let maximumBytes = CallbackAddress.maximumBytes + unclaimedMark.utf8.count + 1
    /// Stands before a callback that no sign-in took. An earlier version takes the line for something that is not a callback.
    private static let unclaimedMark = "unclaimed "

    static func unclaimed(_ callback: String) -> String { unclaimedMark + callback }

    /// The callback in a line that says so; nil for any other line.
    static func unclaimed(in line: String) -> String? {
        line.hasPrefix(unclaimedMark) ? String(line.dropFirst(unclaimedMark.count)) : nil
    }

    /// The longest reason that is passed on, in characters.
    private static let maximumReason = 2000

    /// The answer to a callback.
    enum Answer: Sendable, Hashable {
        case notExpected
        /// The sign-in that waits here has had its callback.
        case ended
        case concluded(CallbackPage)

        var line: String {
            switch self {
            case .notExpected: "not-expected\n"
            case .ended: "ended\n"
            case .concluded(.signedIn): "signed-in\n"
            case .concluded(.signedOut): "signed-out\n"
            case .concluded(.failed(let reason)): "failed \(displayable(reason, limit: maximumReason))\n"
            }
        }

        init?(line: String) {
            switch line {
            case "not-expected": self = .notExpected
            case "ended": self = .ended
            case "signed-in": self = .concluded(.signedIn)
            case "signed-out": self = .concluded(.signedOut)
            case _ where line.hasPrefix("failed "): self = .concluded(.failed(String(line.dropFirst("failed ".count))))
            default: return nil
            }
        }
    }
}
