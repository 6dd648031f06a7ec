import AuthHubPrimitives
public import Observation

/// The model of the screen that shows only who is signed in, at AniList and at OpenID providers.
@MainActor @Observable
public final class ViewerModel {
    /// The user's name, as the service last reported it.
    public var name: String { facts.name }
    /// The name of the service.
    public let providerName: String
    /// The user's picture as PNG or JPEG, as its server sent it; nil if it has not been loaded, or if there is none.
    public var picture: [UInt8]? { userPicture.bytes }
    private(set) var facts: ViewerFacts
    @ObservationIgnored private let userPicture: UserPicture
    private weak var account: AccountModel?

    init(_ facts: ViewerFacts, of account: AccountModel) {
        self.facts = facts
        self.account = account
        providerName = account.provider.name
        userPicture = UserPicture(at: facts.picture, by: PictureLoader(of: account.provider.service, by: account.dependencies))
    }

    /// The URL of the user's web page, which is an https URL or, for development servers, a URL on this machine. nil if the service
    /// provides no URL or any other one, because opening it could start another program.
    public var page: String? { facts.page.flatMap { Self.isOnWeb($0) ? $0 : nil } }

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

    /// Signs out: deletes the tokens, and revokes them if the service supports it. AniList does not: there, the tokens stay valid until they
    /// expire.
    ///
    /// - Parameter atProvider: Whether to show the service's logout page afterwards, so that the user is signed out in the browser as well.
    public func signOut(atProvider: Bool = false) async { await account?.signOut(atProvider: atProvider) }

    /// The label of the button that signs out at the service as well; nil if the service has no logout page.
    public var providerSignOutText: String? { account?.provider.logoutText }

    /// The label of the button that signs out of the app.
    public var signOutText: String { providerSignOutText == nil ? "Sign Out" : "Sign Out Here" }
}

extension ViewerModel {
    /// Updates the facts about the same user.
    func know(_ facts: ViewerFacts) {
        if self.facts != facts { self.facts = facts }
        userPicture.move(to: facts.picture)
    }
}
