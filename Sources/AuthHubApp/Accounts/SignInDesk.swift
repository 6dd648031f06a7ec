import AuthHubPrimitives
import Observation

/// What the person says before and during a sign-in: in which browser, and what its page shows where that has to be pasted.
@MainActor @Observable
final class SignInDesk {
    var usesEphemeralBrowser = false
    /// What is asked for; nil while nothing is.
    private(set) var question: PasteQuestion?
    @ObservationIgnored private var answer: CheckedContinuation<Secret<String>?, Never>?

    /// Waits for the person, or for the end of the sign-in, which is nil.
    func ask(_ problem: String?) async -> Secret<String>? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(returning: nil) }
                end(with: nil)
                answer = continuation
                question = PasteQuestion(problem: problem)
            }
        } onCancel: {
            Task { @MainActor in end(with: nil) }
        }
    }

    func end(with text: Secret<String>?) {
        question = nil
        answer?.resume(returning: text)
        answer = nil
    }
}

/// Asks for what the provider's page shows.
public struct PasteQuestion: Sendable, Hashable {
    /// What was wrong with the text before; nil the first time.
    public let problem: String?
}
