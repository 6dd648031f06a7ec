/// A problem, as it is shown to the user.
public struct AppProblem: Error, Hashable {
    /// The action that the user can take in the app.
    public enum Remedy: Sendable, Hashable {
        /// Retry the same action.
        case tryAgain
        /// Sign in.
        case signIn
        /// None: the problem must be solved elsewhere.
        case none
    }

    /// What happened, in one sentence.
    public let text: String
    /// What the user can do, and whether anything was lost.
    public let advice: String
    public let remedy: Remedy

    public init(_ text: String, advice: String, remedy: Remedy) {
        self.text = text
        self.advice = advice
        self.remedy = remedy
    }
}
