public import AniListAPI
import AuthHubPrimitives
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

    /// Where the person's page is; nil where the service names none, or one that leads elsewhere than to the web: into a program of the
    /// person's computer, say. A page on this machine is one, for a development server.
    public var page: String? { viewer.page.flatMap { Self.isOnWeb($0) ? $0 : nil } }

    /// What a link to the page is called.
    public var pageText: String { "Your page at \(providerName)" }

    static func isOnWeb(_ address: String) -> Bool {
        guard let origin = Origin(url: address) else { return false }
        return origin.scheme == "https" || origin.isLoopback
    }

    /// What the person has to know of.
    public var problem: AppProblem? { account?.notice }

    /// Does again what the problem is about.
    public func tryAgain() async { await account?.tryAgain() }

    /// Shows the sign-in page again, for a problem whose remedy that is.
    public func signInAgain() { account?.signIn() }

    /// Forgets the tokens. AniList has no way to be told.
    ///
    /// - Parameter atProvider: Whether to show the service's log-out page then, so that the browser's session there ends, too.
    public func signOut(atProvider: Bool = false) async { await account?.signOut(atProvider: atProvider) }

    /// What signing out at the service, too, is called; nil if the service has no log-out page.
    public var providerSignOutText: String? { account?.provider.logoutText }

    /// What signing out here is called.
    public var signOutText: String { providerSignOutText == nil ? "Sign Out" : "Sign Out Here" }
}
