/// Something that went wrong, as the person is told.
public struct AppProblem: Error, Hashable {
    /// What the person can do about it here.
    public enum Remedy: Sendable, Hashable {
        /// To do the same again.
        case tryAgain
        /// To sign in.
        case signIn
        /// Nothing: it has to be mended elsewhere.
        case none
    }

    /// What happened, in one sentence.
    public let text: String
    /// What to do about it, and what is lost or not.
    public let advice: String
    public let remedy: Remedy

    public init(_ text: String, advice: String, remedy: Remedy) {
        self.text = text
        self.advice = advice
        self.remedy = remedy
    }
}
