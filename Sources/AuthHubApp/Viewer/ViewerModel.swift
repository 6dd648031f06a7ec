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

    /// Forgets the tokens. AniList has no way to be told.
    public func signOut() async { await account?.signOut() }
}
