import AuthHubPrimitives

/// The messages over the socket of a ``CallbackMailbox``: one line with the callback, and one line with the result in response.
enum CallbackMessage {
    /// The longest line.
    static let maximumBytes = CallbackAddress.maximumBytes + unclaimedMark.utf8.count + 1
    /// The prefix of a callback that no sign-in accepted. An earlier version does not recognize the line as a callback.
    private static let unclaimedMark = "unclaimed "

    static func unclaimed(_ callback: String) -> String { unclaimedMark + callback }

    /// Returns the callback in a line that is marked as unclaimed; nil for any other line.
    static func unclaimed(in line: String) -> String? {
        line.hasPrefix(unclaimedMark) ? String(line.dropFirst(unclaimedMark.count)) : nil
    }

    /// The longest reason that is passed on, in characters.
    private static let maximumReason = 2000

    /// The response to a callback.
    enum Answer: Sendable, Hashable {
        case notExpected
        /// The sign-in that waits here has already received its callback.
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
