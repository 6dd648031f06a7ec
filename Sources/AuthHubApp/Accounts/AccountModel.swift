import AuthHub
import CredentialStorage
import Observation
import WebAuthentication

/// A service in the app: its session, and the content to show when a user is signed in.
///
/// The model does not copy what the session knows about the sign-in: ``state`` is the latest state of the session. In addition, it knows
/// whose sign-in it is. It asks the service once per sign-in, because another process may have signed in another user, and content that was
/// requested with one user's credential is never shown as another user's. A refresh does not change the user.
@MainActor @Observable
final class AccountModel {
    /// The content of the second screen.
    enum Content {
        case repositories(RepositoriesModel)
        case viewer(ViewerModel)
    }

    let provider: AppProvider
    /// The state of the session.
    var state: SessionState
    /// The last problem; nil after a success.
    var problem: AppProblem?
    /// The content of the last known user. If the server has revoked the sign-in, the content is only hidden, because the same user may
    /// sign in again.
    var content: Content?
    /// Whether ``content`` may belong to a different user than the signed-in one, because someone has signed in or may be about to.
    var hidesContent = true
    var isRestoring = false
    /// The sign-in that the user has started.
    var signInTask: OwnedTask?
    /// The state of the sign-in page.
    var page = SignInPage()
    @ObservationIgnored var signInCount = 0
    /// The request that asks who is signed in.
    var personQuestion: OwnedTask?
    var signOutTask: Task<Void, Never>?

    @ObservationIgnored let session: OAuthSession
    @ObservationIgnored let dependencies: Dependencies
    @ObservationIgnored let pageOpener: any PageOpener
    /// Whether a private browser can show the service's pages.
    let offersEphemeralBrowser: Bool
    /// The sign-in that is known to belong to the ``content``'s user.
    @ObservationIgnored var confirmed: CredentialOrigin?
    /// The last sign-in that the service was asked about.
    @ObservationIgnored var asked: CredentialOrigin?
    /// The number of sign-ins in a row that were replaced before the response arrived.
    @ObservationIgnored var questionCount = 0
    /// Whether the last sign-out did not delete the tokens.
    @ObservationIgnored var signOutIsUnfinished = false
    @ObservationIgnored let browser: ChosenBrowser
    /// A task that reminds the user, a minute after the sign-in started, that its page may be closed.
    @ObservationIgnored var reminder: OwnedTask?
    @ObservationIgnored private var follower: OwnedTask?

    init(
        _ provider: AppProvider, label: String, store: any CredentialStore, browsers: Browsers, desk: SignInDesk, dependencies: Dependencies
    ) {
        self.provider = provider
        self.dependencies = dependencies
        pageOpener = browsers.opener
        let callback = CallbackMethod(provider.client.redirectURI, at: provider.profile)
        offersEphemeralBrowser = callback.kind != .pinPage || browsers.ephemeralPasting != nil
        browser = ChosenBrowser(browsers: browsers, desk: desk)
        var configuration = OAuthSession.Configuration(
            server: provider.profile, client: provider.client, scope: provider.scope, grant: .authorizationCode(browser), store: store,
            dependencies: dependencies)
        configuration.prompting = .manual
        session = OAuthSession(configuration, label: label)
        state = session.state
        let states = session.states
        follower = OwnedTask { [weak self] in
            for await _ in states { self?.follow() }
        }
    }
}

extension AccountModel {
    /// The content to show for the signed-in user; nil until the user is known.
    var visibleContent: Content? {
        if case .signedIn = state, !hidesContent { content } else { nil }
    }

    /// Whether the service is being asked who the user is, and there is nothing to show until it responds.
    var isAskingForPerson: Bool { personQuestion != nil && visibleContent == nil }

    /// A problem to show together with the ``content``: the last one, or the one of the last refresh.
    var notice: AppProblem? {
        if let problem { return problem }
        guard case .signedIn(let facts) = state else { return nil }
        return facts.problem.map { AppProblem($0, at: provider.name, isSignedIn: true) }
    }

    /// Copies the session's current state, which is never older than the last one it reported.
    func follow() {
        let now = session.state
        if state != now { state = now }
        switch now {
        case .signedIn(let facts):
            guard signOutTask == nil else { return }
            let origin = CredentialOrigin(facts)
            if origin != confirmed {
                if origin != asked { askForPerson(of: origin) }
            } else if hidesContent, signInTask == nil {
                hidesContent = false
                resume(afterProblem: false)
            }
        case .signedOut(let problem):
            if asked != nil, signOutTask == nil { self.problem = nil }
            // Without a problem, the user has signed out, here or in another process.
            end(keepingContent: problem != nil)
        case .signingOut:
            end(keepingContent: false)
        case .unknown, .loading, .signingIn, .exchanging: break
        }
    }

    /// Forgets who is signed in.
    func end(keepingContent: Bool) {
        personQuestion?.cancel()
        personQuestion = nil
        (confirmed, asked, questionCount) = (nil, nil, 0)
        hidesContent = true
        if !keepingContent { content = nil }
    }
}
