import AuthHub
import CredentialStorage
import Observation
import WebAuthentication

/// One service in the app: its session, and what is shown once somebody is signed in.
///
/// Of the sign-in it keeps nothing that the session knows: ``state`` is the session's, as it was last told. What it knows besides is whose
/// each sign-in is. The service is asked once for each, because another process may have signed in another person, and nothing that one
/// person's credential brought is shown as another's. A refresh changes nothing about that.
@MainActor @Observable
final class AccountModel {
    /// What the second screen shows.
    enum Content {
        case repositories(RepositoriesModel)
        case viewer(ViewerModel)
    }

    let provider: AppProvider
    /// What the session says.
    var state: SessionState
    /// What went wrong last; nil since something went well.
    var problem: AppProblem?
    /// Of the person who was known last. It stays, unseen, where the server ended the sign-in: the same person may come back.
    var content: Content?
    /// Whether ``content`` may be another's than that of who is signed in now: somebody has signed in, or may be about to.
    var hidesContent = true
    var isRestoring = false
    /// The sign-in that the person has begun.
    var signInTask: OwnedTask?
    /// What is known of its page.
    var page = SignInPage()
    @ObservationIgnored var signInCount = 0
    /// The question who is signed in.
    var personQuestion: OwnedTask?
    var signOutTask: Task<Void, Never>?

    @ObservationIgnored let session: OAuthSession
    @ObservationIgnored let dependencies: Dependencies
    @ObservationIgnored let pageOpener: any PageOpener
    /// Whether its pages can be shown by a browser that knows nobody.
    let offersEphemeralBrowser: Bool
    /// The sign-in that is known to be that of the ``content``'s user.
    @ObservationIgnored var confirmed: CredentialOrigin?
    /// The sign-in that the service was last asked about.
    @ObservationIgnored var asked: CredentialOrigin?
    /// How many sign-ins in a row were replaced before the response arrived.
    @ObservationIgnored var questionCount = 0
    /// Whether the last sign-out left the tokens where they were.
    @ObservationIgnored var signOutIsUnfinished = false
    @ObservationIgnored let browser: ChosenBrowser
    /// Says a minute after the sign-in began that its page may be closed.
    @ObservationIgnored var reminder: OwnedTask?
    @ObservationIgnored private var follower: OwnedTask?

    init(_ provider: AppProvider, store: any CredentialStore, browsers: Browsers, desk: SignInDesk, dependencies: Dependencies) {
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
        session = OAuthSession(configuration)
        state = session.state
        let states = session.states
        follower = OwnedTask { [weak self] in
            for await _ in states { self?.follow() }
        }
    }
}

extension AccountModel {
    /// What can be shown of the person who is signed in; nil until they are known.
    var visibleContent: Content? {
        if case .signedIn = state, !hidesContent { content } else { nil }
    }

    /// Whether the person is being asked for, and nothing can be shown before.
    var isAskingForPerson: Bool { personQuestion != nil && visibleContent == nil }

    /// What the person has to know of while the ``content`` is shown: what went wrong last, or with the last refresh.
    var notice: AppProblem? {
        if let problem { return problem }
        guard case .signedIn(let facts) = state else { return nil }
        return facts.problem.map { AppProblem($0, at: provider.name, isSignedIn: true) }
    }

    /// Takes over what the session says now, which is never older than what was told.
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
            // Without a problem it was the person who signed out, here or in another process.
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
