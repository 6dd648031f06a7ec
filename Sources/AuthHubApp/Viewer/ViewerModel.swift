public import AniListAPI
import AuthHubPrimitives
public import Observation

/// The model of the screen for a user who is signed in at AniList.
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

    /// The URL of the user's web page, which is an https URL or, for development servers, a URL on this machine. nil if the service
    /// provides no URL or any other one, because opening it could start another program.
    public var page: String? { viewer.page.flatMap { Self.isOnWeb($0) ? $0 : nil } }

    /// The label of the link to ``page``.
    public var pageText: String { "Your page at \(providerName)" }

    static func isOnWeb(_ address: String) -> Bool {
        guard let origin = Origin(url: address) else { return false }
        return origin.scheme == "https" || origin.isLoopback
    }

    /// The problem to show; nil if there is none.
    public var problem: AppProblem? { account?.notice }

    /// Repeats the action that caused ``problem``.
    public func tryAgain() async { await account?.tryAgain() }

    /// Shows the sign-in page again. Call it if the remedy of ``problem`` is to sign in.
    public func signInAgain() { account?.signIn() }

    /// Signs out: deletes the tokens. The tokens stay valid until they expire, because AniList does not support revocation.
    ///
    /// - Parameter atProvider: Whether to show the service's logout page afterwards, so that the user is signed out in the browser as well.
    public func signOut(atProvider: Bool = false) async { await account?.signOut(atProvider: atProvider) }

    /// The label of the button that signs out at the service as well; nil if the service has no logout page.
    public var providerSignOutText: String? { account?.provider.logoutText }

    /// The label of the button that signs out of the app.
    public var signOutText: String { providerSignOutText == nil ? "Sign Out" : "Sign Out Here" }
}
