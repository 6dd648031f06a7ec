public import AuthHub
public import CredentialStorage
public import Observation

/// The model of the app's window, which shows one of two screens.
@MainActor @Observable
public final class AppModel {
    /// The content of the window.
    public enum Screen {
        case signIn(SignInModel)
        case repositories(RepositoriesModel)
        case viewer(ViewerModel)
    }

    /// The model of the first screen. It exists even while the second screen is shown.
    public let signIn: SignInModel
    private let accounts: [AccountModel]

    /// Creates the model.
    ///
    /// - Parameters:
    ///   - provider: The service that is selected initially.
    ///   - others: Other services to choose from.
    ///   - store: The store for the tokens.
    ///   - browsers: The browsers for the sign-in pages.
    ///   - dependencies: The network, clock and logger.
    public init(
        _ provider: AppProvider, _ others: [AppProvider] = [], store: any CredentialStore, browsers: Browsers, dependencies: Dependencies
    ) {
        let desk = SignInDesk()
        var accounts: [AccountModel] = []
        func account(_ provider: AppProvider) -> AccountModel {
            // Several files for the same client are for several users.
            let isFirst = !accounts.contains {
                $0.provider.client.id == provider.client.id && $0.provider.profile.identity == provider.profile.identity
            }
            let account = AccountModel(
                provider, label: isFirst ? "default" : provider.id, store: store, browsers: browsers, desk: desk, dependencies: dependencies
            )
            accounts.append(account)
            return account
        }
        let first = account(provider)
        for provider in others { _ = account(provider) }
        self.accounts = accounts
        signIn = SignInModel(accounts, choosing: first, desk: desk)
    }

    /// The screen to show. The second screen is shown once the app knows the user at the chosen service.
    public var screen: Screen {
        switch signIn.account.visibleContent {
        case .repositories(let model): .repositories(model)
        case .viewer(let model): .viewer(model)
        case nil: .signIn(signIn)
        }
    }

    /// Reads the store, and chooses the first service that has a signed-in account.
    public func restore() async {
        for account in accounts {
            await account.restore()
            guard case .signedIn = account.state else { continue }
            return signIn.turn(to: account)
        }
    }

    /// Finishes a sign-in whose callback was delivered to the app instead of to the browser session that shows the sign-in page. Call it
    /// with the URL from `onOpenURL`, for a custom scheme or a universal link, even if the system launched the app for the callback.
    ///
    /// Chooses the service whose sign-in is waiting for this callback. If there is none, the chosen service shows a problem, and other
    /// pending sign-ins continue to wait.
    ///
    /// - Parameter callback: The complete URL, unchanged.
    public func finishSignIn(with callback: String) async {
        var refusal: AppProblem?
        for account in [signIn.account] + accounts.filter({ $0 !== signIn.account }) {
            guard let problem = await account.finishSignIn(with: callback) else { return signIn.turn(to: account) }
            if refusal == nil { refusal = problem }
        }
        signIn.account.problem = refusal
    }

    /// Closes an open sign-in page, and waits for all work whose result would be lost if the process exited. Call it before the process
    /// exits.
    public func finish() async {
        // Stop all of them first: a request of one account might start a refresh while the app waits for another.
        for account in accounts { account.stop() }
        for account in accounts { await account.finish() }
    }
}
