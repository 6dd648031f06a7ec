import AuthHub
import AuthHubPrimitives
public import Observation

/// The first screen: the choice of a service, the reason to sign in, and the progress of the sign-in.
@MainActor @Observable
public final class SignInModel {
    /// The current activity.
    public enum Activity: Sendable, Hashable {
        /// Reading the store.
        case restoring
        /// Showing the page; the user can cancel.
        case waitingForPerson
        /// Exchanging the code for tokens, after the user is done.
        case finishing
        /// Requesting the user's account.
        case arriving
        case signingOut

        /// The text next to a spinner.
        public var text: String {
            switch self {
            case .restoring: "Loading your account…"
            case .waitingForPerson: "Waiting for you in the browser…"
            case .finishing: "Finishing the sign-in…"
            case .arriving: "Fetching your account…"
            case .signingOut: "Signing out…"
            }
        }
    }

    /// The services to choose from.
    public let providers: [AppProvider]
    /// The account at the chosen service.
    private(set) var account: AccountModel
    private let accounts: [AccountModel]
    private let desk: SignInDesk

    init(_ accounts: [AccountModel], choosing chosen: AccountModel, desk: SignInDesk) {
        self.accounts = accounts
        self.desk = desk
        account = chosen
        providers = accounts.map(\.provider)
    }

    /// Chooses a service, unless the user is busy with the current one.
    func turn(to account: AccountModel) {
        if self.account.signInTask == nil, self.account.signOutTask == nil { self.account = account }
    }
}

extension SignInModel {
    /// The chosen service. It can only be changed if there is no activity; a service that is not offered is ignored.
    public var choice: AppProvider.ID {
        get { account.provider.id }
        set {
            guard activity == nil, let account = accounts.first(where: { $0.provider.id == newValue }) else { return }
            self.account = account
        }
    }

    /// The name of the chosen service.
    public var providerName: String { account.provider.name }

    /// The reason to sign in.
    public var reason: String {
        switch account.provider.service {
        case .gitHub: "To list your repositories, the app needs your permission to read them at \(providerName)."
        case .aniList: "To show who you are, the app needs your permission to read your profile at \(providerName)."
        }
    }

    /// Whether to show the page in a private browser, for another user, or on another user's computer.
    public var usesEphemeralBrowser: Bool {
        get { offersEphemeralBrowser && desk.usesEphemeralBrowser }
        set { desk.usesEphemeralBrowser = newValue }
    }

    /// Whether the chosen service supports a private browser. If the user pastes a text, this depends on the browsers that the app was created
    /// with.
    public var offersEphemeralBrowser: Bool { account.offersEphemeralBrowser }

    /// The description of the switch for a private browser, "Private window".
    nonisolated public static let ephemeralBrowserText =
        "Always asks for the password and saves nothing in the browser: for another account or a shared computer"

    /// The current activity; nil if the user can start.
    public var activity: Activity? {
        if account.signOutTask != nil { return .signingOut }
        return switch account.state {
        case .loading: .restoring
        case .signingIn: .waitingForPerson
        case .exchanging: .finishing
        case .signingOut: .signingOut
        case .signedIn where account.isAskingForPerson: .arriving
        case .signedIn, .unknown, .signedOut: account.signInTask != nil ? .waitingForPerson : account.isRestoring ? .restoring : nil
        }
    }

    /// The last problem; nil during an activity.
    public var problem: AppProblem? {
        guard activity == nil else { return nil }
        if let problem = account.problem { return problem }
        guard case .signedOut(let problem?) = account.state else { return nil }
        return AppProblem(problem, at: providerName, isSignedIn: false)
    }

    /// A notice to show together with the page: a response that was not accepted, or why the page could not be opened again.
    public var notice: String? {
        guard activity == .waitingForPerson else { return nil }
        if let problem = account.page.problem { return problem }
        guard case .signingIn(let notice?) = account.state else { return nil }
        return sentence(notice.explanation)
    }

    /// A hint for a user who has closed the page, if the browser does not report closed windows. The text changes after a minute.
    public var hint: String? { activity == .waitingForPerson ? account.page.hint : nil }

    /// Whether an account is signed in whose user is unknown, because the request to the service failed. The user can retry or sign out.
    public var isSignedIn: Bool {
        if case .signedIn = account.state { true } else { false }
    }

    /// The request to paste a text; nil if there is none.
    public var question: PasteQuestion? { desk.question }
}

/// The buttons.
extension SignInModel {
    /// Whether the user can start a sign-in. This requires that there is no activity, and if an account is already signed in, that a new
    /// sign-in can solve the problem.
    public var canSignIn: Bool { activity == nil && (!isSignedIn || problem?.remedy == .signIn) }

    /// Whether the app waits for the user, who can cancel.
    public var canCancel: Bool { activity == .waitingForPerson }

    /// Whether the page can be opened again, because the user may have closed it.
    public var canOpenAgain: Bool { hint != nil && account.state.isSigningIn }

    /// Whether the user can retry what failed.
    public var canTryAgain: Bool { problem?.remedy == .tryAgain }

    /// Whether the user can sign out an account whose user is unknown.
    public var canSignOut: Bool { activity == nil && isSignedIn }

    /// Whether the user can choose another service now.
    public var canChoose: Bool { activity == nil && providers.count > 1 }
}

extension SignInModel {
    /// Shows the sign-in page; has no effect during an activity.
    public func signIn() {
        if activity == nil { account.signIn() }
    }

    /// Closes the sign-in page, or stops waiting for a text to paste. A user who is already done is signed in anyway.
    public func cancel() { account.cancelSignIn() }

    /// Opens the page of the same sign-in again.
    public func openAgain() async { await account.openPageAgain() }

    /// Accepts the text that the page showed; an empty text is ignored.
    public func paste(_ text: String) {
        if !text.allSatisfy(\.isWhitespace) { desk.take(Secret(text)) }
    }

    /// Retries what failed.
    public func tryAgain() async { await account.tryAgain() }

    /// Signs out an account whose user is unknown.
    public func signOut() async { await account.signOut() }
}
