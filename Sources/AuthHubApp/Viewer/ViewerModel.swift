public import AniListAPI
import AuthHubPrimitives
public import Observation

/// The signed-in user at AniList.
@MainActor @Observable
public final class ViewerModel {
    /// The user's name and web page, as the service last reported them.
    public internal(set) var viewer: Viewer
    /// The name of the service.
    public let providerName: String
    private weak var account: AccountModel?

    init(_ viewer: Viewer, of account: AccountModel) {
        self.viewer = viewer
        self.account = account
        providerName = account.provider.name
    }

    /// The URL of the user's page; nil if the service provides none, or one that is not on the web and would, for example, open another
    /// program. A page on this machine is allowed, for a development server.
    public var page: String? { viewer.page.flatMap { Self.isOnWeb($0) ? $0 : nil } }

    /// The label of a link to the page.
    public var pageText: String { "Your page at \(providerName)" }

    static func isOnWeb(_ address: String) -> Bool {
        guard let origin = Origin(url: address) else { return false }
        return origin.scheme == "https" || origin.isLoopback
    }

    /// The problem to show.
    public var problem: AppProblem? { account?.notice }

    /// Retries what the problem is about.
    public func tryAgain() async { await account?.tryAgain() }

    /// Shows the sign-in page again, for a problem with this remedy.
    public func signInAgain() { account?.signIn() }

    /// Deletes the tokens. AniList does not support revocation.
    ///
    /// - Parameter atProvider: Whether to show the service's log-out page afterwards, so that the browser's session there ends, too.
    public func signOut(atProvider: Bool = false) async { await account?.signOut(atProvider: atProvider) }

    /// The label for also signing out at the service; nil if the service has no log-out page.
    public var providerSignOutText: String? { account?.provider.logoutText }

    /// The label for signing out here.
    public var signOutText: String { providerSignOutText == nil ? "Sign Out" : "Sign Out Here" }
}
