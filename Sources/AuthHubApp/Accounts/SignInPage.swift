/// What the app knows of the page of a sign-in, which may be closed without its knowledge.
struct SignInPage: Sendable, Hashable {
    /// How long the person may take before the app says again what helps.
    static let patience = Duration.seconds(60)

    /// Whether the browser tells that its window was closed.
    var isFollowed = true
    /// Whether the person has taken longer than usual.
    var isSlow = false
    /// Why it could not be opened again, as a sentence.
    var problem: String?

    /// What the user can do; nil if the browser reports closed windows.
    var hint: String? {
        if isFollowed { return nil }
        return isSlow
            ? "Still waiting. If you closed the page, open it again or cancel."
            : "The app cannot detect whether you close the page. If you did, open it again or cancel."
    }
}
