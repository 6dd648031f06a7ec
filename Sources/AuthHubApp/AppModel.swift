public import AuthHub
public import CredentialStorage
public import Observation

/// The app's window: which of the two screens it shows.
@MainActor @Observable
public final class AppModel {
    /// What the window shows.
    public enum Screen {
        case signIn(SignInModel)
        case repositories(RepositoriesModel)
        case viewer(ViewerModel)
    }

    /// The first screen, also while the second is shown.
    public let signIn: SignInModel
    private let accounts: [AccountModel]

    /// - Parameters:
    ///   - provider: The service that is chosen to begin with.
    ///   - others: More services to choose from.
    ///   - store: Keeps the tokens.
    ///   - browsers: Show the sign-in pages.
    ///   - dependencies: Network, clock and logger.
    public init(
        _ provider: AppProvider, _ others: [AppProvider] = [], store: any CredentialStore, browsers: Browsers, dependencies: Dependencies
    ) {
        let desk = SignInDesk()
        func account(_ provider: AppProvider) -> AccountModel {
            AccountModel(provider, store: store, browsers: browsers, desk: desk, dependencies: dependencies)
        }
        let first = account(provider)
        accounts = [first] + others.map(account)
        signIn = SignInModel(accounts, choosing: first, desk: desk)
    }

    /// What to show now: the second screen as soon as it is known who is signed in at the chosen service.
    public var screen: Screen {
        switch signIn.account.visibleContent {
        case .repositories(let model): .repositories(model)
        case .viewer(let model): .viewer(model)
        case nil: .signIn(signIn)
        }
    }

    /// Reads what is stored, and chooses the first service at which somebody is signed in.
    public func restore() async {
        for account in accounts {
            await account.restore()
            guard case .signedIn = account.state else { continue }
            return signIn.turn(to: account)
        }
    }

    /// Finishes a sign-in whose callback arrived at the app instead of at the page's session: a custom scheme or a universal link, from
    /// `onOpenURL`, even if the app was started for it.
    ///
    /// The service whose sign-in waits for the callback becomes the chosen one. If none does, the chosen service has a problem to show, and
    /// sign-ins that wait continue to wait.
    ///
    /// - Parameter callback: The whole URL, as it arrived.
    public func finishSignIn(with callback: String) async {
        var refusal: AppProblem?
        for account in [signIn.account] + accounts.filter({ $0 !== signIn.account }) {
            guard let problem = await account.finishSignIn(with: callback) else { return signIn.turn(to: account) }
            if refusal == nil { refusal = problem }
        }
        signIn.account.problem = refusal
    }

    /// Closes a sign-in page, and waits until nothing is under way that would be lost with the process. To be called before it ends.
    public func finish() async {
        // All of them first: what one still loads might begin a refresh while another is waited for.
        for account in accounts { account.stop() }
        for account in accounts { await account.finish() }
    }
}
