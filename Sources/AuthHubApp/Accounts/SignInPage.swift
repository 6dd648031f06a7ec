/// The state of a sign-in page, which the user may close without the app noticing.
struct SignInPage: Sendable, Hashable {
    /// The time after which the app offers help again.
    static let patience = Duration.seconds(60)

    /// Whether the browser reports that its window was closed.
    var isFollowed = true
    /// Whether the user is taking longer than usual.
    var isSlow = false
    /// A sentence that says why the page could not be opened again.
    var problem: String?

    /// A hint for the user; nil if the browser reports closed windows.
    var hint: String? {
        if isFollowed { return nil }
        return isSlow
            ? "Still waiting. If you closed the page, open it again or cancel."
            : "The app cannot detect whether you closed the page. If you did, open it again or cancel."
    }
}
