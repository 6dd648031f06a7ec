import AuthHub
import AuthHubPrimitives
public import Observation

/// The model of the first screen: the choice of a service, the reason to sign in, and the progress of the sign-in.
@MainActor @Observable
public final class SignInModel {
    /// An activity during which the user cannot start a sign-in.
    public enum Activity: Sendable, Hashable {
        /// The store is being read.
        case restoring
        /// The sign-in page is shown, and the user can cancel.
        case waitingForPerson
        /// The user is done with the page, and the code is being exchanged for tokens.
        case finishing
        /// The user's account is being requested from the service.
        case arriving
        case signingOut

        /// The text to show next to a spinner.
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

    /// The services that the user can choose from.
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
    /// The chosen service. Setting it shows that service's account. It has no effect during an activity, or if the service is not one of
    /// ``providers``.
    public var choice: AppProvider.ID {
        get { account.provider.id }
        set {
            guard activity == nil, let account = accounts.first(where: { $0.provider.id == newValue }) else { return }
            self.account = account
            if case .unknown = account.state { Task { await account.restore() } }
        }
    }

    /// The other services, whose accounts the user can switch to.
    public var others: [AppProvider] { providers.filter { $0.id != choice } }

    /// The name of the chosen service.
    public var providerName: String { account.provider.name }

    /// The reason to sign in, as text for the user.
    public var reason: String {
        switch account.provider.service {
        case .gitHub: "To list your repositories, the app needs your permission to read them at \(providerName)."
        case .aniList, .openID: "To show who you are, the app needs your permission to read your profile at \(providerName)."
        }
    }

    /// Whether to show the sign-in page in a private browser, for example to sign in as another user or on someone else's computer.
    public var usesEphemeralBrowser: Bool {
        get { offersEphemeralBrowser && desk.usesEphemeralBrowser }
        set { desk.usesEphemeralBrowser = newValue }
    }

    /// Whether the chosen service supports a private browser.
    public var offersEphemeralBrowser: Bool { account.offersEphemeralBrowser }

    /// The label of the switch for a private browser, "Private window".
    nonisolated public static let ephemeralBrowserText =
        "Always asks for the password and saves nothing in the browser: for another account or a shared computer"

    /// The current activity; nil if there is none.
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

    /// The last problem; nil if there is none, and during an activity.
    public var problem: AppProblem? {
        guard activity == nil else { return nil }
        if let problem = account.problem { return problem }
        guard case .signedOut(let problem?) = account.state else { return nil }
        return AppProblem(problem, at: providerName, isSignedIn: false)
    }

    /// A notice to show while the sign-in page is open: that a response was rejected, or why the page could not be opened again.
    public var notice: String? {
        guard activity == .waitingForPerson else { return nil }
        if let problem = account.page.problem { return problem }
        guard case .signingIn(let notice?) = account.state else { return nil }
        return sentence(notice.explanation)
    }

    /// A hint for a user who may have closed the page; nil if the browser reports closed windows. After a minute, the hint says that the
    /// app is still waiting.
    public var hint: String? { activity == .waitingForPerson ? account.page.hint : nil }

    /// The URL of the sign-in page, for a user who wants to open it in another browser; nil if no page is shown.
    public var pageURL: String? { activity == .waitingForPerson ? desk.pageURL : nil }

    /// Whether an account is signed in whose details could not be loaded from the service. The user can retry or sign out.
    public var isSignedIn: Bool {
        if case .signedIn = account.state { true } else { false }
    }

    /// The request to paste text; nil if there is none.
    public var question: PasteQuestion? { desk.question }
}

/// The buttons.
extension SignInModel {
    /// Whether the user can start a sign-in. False during an activity. Also false if an account is already signed in, unless the remedy of
    /// ``problem`` is to sign in again.
    public var canSignIn: Bool { activity == nil && (!isSignedIn || problem?.remedy == .signIn) }

    /// Whether the user can cancel the sign-in, because the app is waiting for the user.
    public var canCancel: Bool { activity == .waitingForPerson }

    /// Whether the user can open the sign-in page again, after closing it.
    public var canOpenAgain: Bool { hint != nil && account.state.isSigningIn }

    /// Whether the user can repeat the action that caused ``problem``.
    public var canTryAgain: Bool { problem?.remedy == .tryAgain }

    /// Whether the user can sign out of an account whose details could not be loaded from the service.
    public var canSignOut: Bool { activity == nil && isSignedIn }

    /// Whether the user can choose another service now.
    public var canChoose: Bool { activity == nil && providers.count > 1 }
}

extension SignInModel {
    /// Shows the sign-in page. Has no effect during an activity.
    public func signIn() {
        if activity == nil { account.signIn() }
    }

    /// Cancels the sign-in: closes the page, or stops waiting for pasted text. If the user has already finished with the page, the sign-in
    /// continues.
    public func cancel() { account.cancelSignIn() }

    /// Opens the page of the current sign-in again.
    public func openAgain() async { await account.openPageAgain() }

    /// Accepts the text that the user pasted from the provider's page. Empty text is ignored.
    public func paste(_ text: String) {
        if !text.allSatisfy(\.isWhitespace) { desk.take(Secret(text)) }
    }

    /// Repeats the action that caused ``problem``.
    public func tryAgain() async { await account.tryAgain() }

    /// Signs out of an account whose details could not be loaded from the service.
    public func signOut() async { await account.signOut() }
}
