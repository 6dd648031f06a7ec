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
    }

    /// The services to choose from.
    public let providers: [AppProvider]
    private let accounts: [AccountModel]
    private var chosen: AccountModel

    init(_ accounts: [AccountModel], choosing chosen: AccountModel) {
        self.accounts = accounts
        self.chosen = chosen
        providers = accounts.map(\.provider)
    }

    /// The chosen service's account.
    var account: AccountModel { chosen }
}

extension SignInModel {
    /// The service that is chosen. Another can be chosen while nothing is under way; one that is not offered changes nothing.
    public var choice: AppProvider.ID {
        get { chosen.provider.id }
        set {
            guard activity == nil, let account = accounts.first(where: { $0.provider.id == newValue }) else { return }
            chosen = account
        }
    }

    /// What the chosen service is called.
    public var providerName: String { chosen.provider.name }

    /// Why the person is asked to sign in.
    public var reason: String {
        switch chosen.provider.service {
        case .gitHub: "To list your repositories, the app needs your permission to read them at \(providerName)."
        case .aniList: "To show who you are, the app needs your permission to read your profile at \(providerName)."
        }
    }

    /// Whether the page is shown by a browser that knows nobody and keeps nothing: for another person, or on another's computer.
    public var usesEphemeralBrowser: Bool {
        get { chosen.desk.usesEphemeralBrowser }
        set { chosen.desk.usesEphemeralBrowser = newValue }
    }

    /// What is under way; nil where the person can begin.
    public var activity: Activity? {
        switch chosen.state {
        case .loading: .restoring
        case .signingIn: .waitingForPerson
        case .exchanging: .finishing
        case .signingOut: .signingOut
        case .signedIn: chosen.isArriving ? .arriving : nil
        case .unknown, .signedOut: chosen.isSigningIn ? .waitingForPerson : nil
        }
    }

    /// What went wrong last; nil while something is under way.
    public var problem: AppProblem? {
        guard activity == nil else { return nil }
        if let problem = chosen.problem { return problem }
        guard case .signedOut(let problem?) = chosen.state else { return chosen.farewell }
        return AppProblem(problem, at: providerName, isSignedIn: false)
    }

    /// Whether somebody is signed in whose account could not be asked for: the remedy is to try again, or to sign out.
    public var isSignedIn: Bool {
        if case .signedIn = chosen.state { true } else { false }
    }

    /// What is to be pasted; nil while nothing is asked for.
    public var question: PasteQuestion? { chosen.desk.question }

    /// Shows the sign-in page; does nothing while something is under way.
    public func signIn() {
        if activity == nil { chosen.signIn() }
    }

    /// Closes the sign-in page, or stops waiting for what is to be pasted. A person who is done already is signed in all the same.
    public func cancel() { chosen.cancelSignIn() }

    /// Hands over what the page showed; an empty text is not taken.
    public func paste(_ text: String) {
        if !text.isEmpty { chosen.desk.end(with: Secret(text)) }
    }

    /// Does again what went wrong.
    public func tryAgain() async { await chosen.tryAgain() }

    /// Forgets the tokens of somebody whose account could not be asked for.
    public func signOut() async { await chosen.signOut() }
}
