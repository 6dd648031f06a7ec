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
    ///   - surroundings: Network, clock and logger.
    public init(
        _ provider: AppProvider, _ others: [AppProvider] = [], store: any CredentialStore, browsers: Browsers, surroundings: Surroundings
    ) {
        let first = AccountModel(provider, store: store, browsers: browsers, surroundings: surroundings)
        accounts =
            [first] + others.map { AccountModel($0, store: store, browsers: browsers, surroundings: surroundings) }
        signIn = SignInModel(accounts, choosing: first)
    }

    /// What to show now: the second screen as soon as it is known who is signed in at the chosen service.
    public var screen: Screen {
        let account = signIn.account
        guard case .signedIn = account.state, let content = account.content else { return .signIn(signIn) }
        return switch content {
        case .repositories(let model): .repositories(model)
        case .viewer(let model): .viewer(model)
        }
    }

    /// Reads what is stored, and chooses the first service at which somebody is signed in.
    public func restore() async {
        for account in accounts {
            await account.restore()
            if case .signedIn = account.session.state {
                signIn.choice = account.provider.id
                return
            }
        }
    }

    /// Waits until nothing is under way that would be lost with the process. To be called before it ends.
    public func finish() async {
        for account in accounts { await account.session.finish() }
    }
}
