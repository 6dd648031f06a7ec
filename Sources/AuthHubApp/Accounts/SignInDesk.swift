import AuthHubPrimitives
import Observation

/// The user's choices before and during a sign-in: the browser, its page, and the text to paste if the provider requires it.
@MainActor @Observable
final class SignInDesk {
    var usesEphemeralBrowser = false
    /// The URL of the sign-in page; nil if none is shown.
    private(set) var pageURL: String?
    /// The current question; nil if there is none.
    private(set) var question: PasteQuestion?
    @ObservationIgnored private var answer: CheckedContinuation<Secret<String>?, Never>?
    /// A counter for the questions, so that cancelling an earlier one does not end the next.
    @ObservationIgnored private var number = 0

    /// Records the page that a sign-in shows now; nil if it has ended.
    func shows(_ url: String?) { pageURL = url }

    /// Waits for the user's answer; returns nil if the sign-in ends first.
    func ask(_ problem: String?) async -> Secret<String>? {
        take(nil)
        number += 1
        let asked = number
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(returning: nil) }
                answer = continuation
                question = PasteQuestion(problem: problem.map(sentence))
            }
        } onCancel: {
            Task { @MainActor in if asked == number { take(nil) } }
        }
    }

    /// Answers the question; nil means that there will be no answer.
    func take(_ text: Secret<String>?) {
        question = nil
        answer?.resume(returning: text)
        answer = nil
    }
}

/// A request to the user to paste the text that the provider's page shows.
public struct PasteQuestion: Sendable, Hashable {
    /// A sentence that says what was wrong with the previously pasted text; nil for the first request.
    public let problem: String?

    /// The instruction to show to the user.
    public var instruction: String { "When you are done, copy the text that the page shows and paste it here." }
}
