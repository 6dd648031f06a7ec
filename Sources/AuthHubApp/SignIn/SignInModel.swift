import AuthHub
import AuthHubPrimitives
public import Observation

/// The first screen: where to sign in, why, and how it goes.
@MainActor @Observable
public final class SignInModel {
    /// What is under way.
    public enum Activity: Sendable, Hashable {
        /// What is stored is being read.
        case restoring
        /// The page is shown; the person can cancel.
        case waitingForPerson
        /// The person is done, the service is asked for tokens.
        case finishing
        /// The person's account is being asked for.
        case arriving
        case signingOut

        /// What it is called beside a spinner.
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
    /// The chosen service's account.
    private(set) var account: AccountModel
    private let accounts: [AccountModel]
    private let desk: SignInDesk

    init(_ accounts: [AccountModel], choosing chosen: AccountModel, desk: SignInDesk) {
        self.accounts = accounts
        self.desk = desk
        account = chosen
        providers = accounts.map(\.provider)
    }

    /// Chooses a service unless the person is busy with the chosen one.
    func turn(to account: AccountModel) {
        if self.account.signInTask == nil, self.account.signOutTask == nil { self.account = account }
    }
}

extension SignInModel {
    /// The service that is chosen. Another can be chosen while nothing is under way; one that is not offered changes nothing.
    public var choice: AppProvider.ID {
        get { account.provider.id }
        set {
            guard activity == nil, let account = accounts.first(where: { $0.provider.id == newValue }) else { return }
            self.account = account
        }
    }

    /// What the chosen service is called.
    public var providerName: String { account.provider.name }

    /// Why the person is asked to sign in.
    public var reason: String {
        switch account.provider.service {
        case .gitHub: "To list your repositories, the app needs your permission to read them at \(providerName)."
        case .aniList: "To show who you are, the app needs your permission to read your profile at \(providerName)."
        }
    }

    /// Whether the page is shown by a browser that knows nobody and keeps nothing: for another person, or on another's computer.
    public var usesEphemeralBrowser: Bool {
        get { offersEphemeralBrowser && desk.usesEphemeralBrowser }
        set { desk.usesEphemeralBrowser = newValue }
    }

    /// Whether there is such a browser for the chosen service. Where its page shows what is to be pasted, ``Browsers/ephemeralPasting`` says so.
    public var offersEphemeralBrowser: Bool { account.offersEphemeralBrowser }

    /// What the switch for such a browser, "Private window", says of itself.
    nonisolated public static let ephemeralBrowserText =
        "Always asks for the password and saves nothing in the browser: for another account or a shared computer"

    /// What is under way; nil where the person can begin.
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

    /// What went wrong last; nil while something is under way.
    public var problem: AppProblem? {
        guard activity == nil else { return nil }
        if let problem = account.problem { return problem }
        guard case .signedOut(let problem?) = account.state else { return nil }
        return AppProblem(problem, at: providerName, isSignedIn: false)
    }

    /// What the person should know while the page is shown: what arrived and was not accepted, or why the page could not be opened again.
    public var notice: String? {
        guard activity == .waitingForPerson else { return nil }
        if let problem = account.page.problem { return problem }
        guard case .signingIn(let notice?) = account.state else { return nil }
        return sentence(notice.explanation)
    }

    /// What the person can do who has closed the page, where that cannot be seen; in other words after a minute.
    public var hint: String? { activity == .waitingForPerson ? account.page.hint : nil }

    /// Whether somebody is signed in whose account could not be asked for: the remedy is to try again, or to sign out.
    public var isSignedIn: Bool {
        if case .signedIn = account.state { true } else { false }
    }

    /// What is to be pasted; nil while nothing is asked for.
    public var question: PasteQuestion? { desk.question }
}

/// Which buttons there are.
extension SignInModel {
    /// Whether a sign-in can begin: while nothing is under way, and where somebody is signed in only if that is what helps.
    public var canSignIn: Bool { activity == nil && (!isSignedIn || problem?.remedy == .signIn) }

    /// Whether the person is waited for, and need not come.
    public var canCancel: Bool { activity == .waitingForPerson }

    /// Whether the page can be opened once more, because the person may have closed it.
    public var canOpenAgain: Bool { hint != nil && account.state.isSigningIn }

    /// Whether what went wrong can be tried again.
    public var canTryAgain: Bool { problem?.remedy == .tryAgain }

    /// Whether somebody can be signed out whose account could not be asked for.
    public var canSignOut: Bool { activity == nil && isSignedIn }

    /// Whether there is another service to choose, and now is the time.
    public var canChoose: Bool { activity == nil && providers.count > 1 }
}

extension SignInModel {
    /// Shows the sign-in page; does nothing while something is under way.
    public func signIn() {
        if activity == nil { account.signIn() }
    }

    /// Closes the sign-in page, or stops waiting for what is to be pasted. A person who is done already is signed in all the same.
    public func cancel() { account.cancelSignIn() }

    /// Opens the sign-in page once more; the sign-in stays the same.
    public func openAgain() async { await account.openPageAgain() }

    /// Hands over what the page showed; an empty text is not taken.
    public func paste(_ text: String) {
        if !text.allSatisfy(\.isWhitespace) { desk.take(Secret(text)) }
    }

    /// Does again what went wrong.
    public func tryAgain() async { await account.tryAgain() }

    /// Forgets the tokens of somebody whose account could not be asked for.
    public func signOut() async { await account.signOut() }
}
