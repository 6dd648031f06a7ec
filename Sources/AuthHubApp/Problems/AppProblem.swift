/// A problem, as the app shows it to the user.
public struct AppProblem: Error, Hashable {
    /// The action that the user can take in the app.
    public enum Remedy: Sendable, Hashable {
        /// Retry the same action.
        case tryAgain
        /// Sign in.
        case signIn
        /// No action, because the user has to solve the problem outside the app.
        case none
    }

    /// A sentence that says what went wrong.
    public let text: String
    /// Advice for the user, which also says whether anything was lost.
    public let advice: String
    /// The action to offer with the advice.
    public let remedy: Remedy

    /// Creates a problem from a sentence that says what happened, advice for the user, and the action to offer.
    public init(_ text: String, advice: String, remedy: Remedy) {
        self.text = text
        self.advice = advice
        self.remedy = remedy
    }
}
