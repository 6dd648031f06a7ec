public import AniListAPI
public import Observation

/// The person who is signed in at AniList.
@MainActor @Observable
public final class ViewerModel {
    public internal(set) var viewer: Viewer
    /// What the service is called.
    public let providerName: String
    private weak var account: AccountModel?

    init(_ viewer: Viewer, of account: AccountModel) {
        self.viewer = viewer
        self.account = account
        providerName = account.provider.name
    }

    /// What the person has to know of.
    public var problem: AppProblem? { account?.notice }

    /// Does again what the problem is about.
    public func tryAgain() async { await account?.tryAgain() }

    /// Shows the sign-in page again, for a problem whose remedy that is.
    public func signInAgain() { account?.signIn() }

    /// Forgets the tokens. AniList has no way to be told.
    public func signOut() async { await account?.signOut() }
}
