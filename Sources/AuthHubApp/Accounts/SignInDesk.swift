import AuthHubPrimitives
import Observation

/// What the person says before and during a sign-in: in which browser, and what its page shows where that has to be pasted.
@MainActor @Observable
final class SignInDesk {
    var usesEphemeralBrowser = false
    /// What is asked for; nil while nothing is.
    private(set) var question: PasteQuestion?
    @ObservationIgnored private var answer: CheckedContinuation<Secret<String>?, Never>?
    /// Counts the questions: who cancels an earlier one does not end the next.
    @ObservationIgnored private var number = 0

    /// Waits for the person, or for the end of the sign-in, which is nil.
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

    /// Answers what is asked; nil for nobody will.
    func take(_ text: Secret<String>?) {
        question = nil
        answer?.resume(returning: text)
        answer = nil
    }
}

/// Asks for what the provider's page shows.
public struct PasteQuestion: Sendable, Hashable {
    /// What was wrong with the text before, as a sentence; nil the first time.
    public let problem: String?

    /// What the person is to do.
    public var instruction: String { "When you are done, copy the text that the page shows and paste it here." }
}
