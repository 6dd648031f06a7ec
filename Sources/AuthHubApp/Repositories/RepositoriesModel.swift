public import GitHubAPI
public import Observation

/// The repositories of the signed-in user, which are loaded page by page as the user scrolls.
@MainActor @Observable
public final class RepositoriesModel {
    /// The current activity of the model.
    public enum Activity: Sendable, Hashable {
        case loadingMore
        /// Loading the list again from the first page, while the old list stays visible.
        case refreshing
    }

    /// The user whose repositories are listed.
    public private(set) var person: User
    /// The name of the service.
    public let providerName: String
    /// The repositories that were loaded so far, in the service's own order.
    public private(set) var repositories: [Repository] = []
    /// The selection of repositories to list.
    public private(set) var selection = RepositorySelection.all
    /// Whether the last page was loaded.
    public private(set) var isComplete = false
    private var lacksPrivate = false
    /// The activity in progress; nil if no page is being loaded.
    public private(set) var activity: Activity?
    /// The user's picture as PNG or JPEG, as the service sent it; nil until it is loaded, or if there is none.
    public private(set) var picture: [UInt8]?

    private var pageProblem: AppProblem?
    /// The activity that was interrupted before its page arrived.
    @ObservationIgnored private var interrupted: Activity?
    @ObservationIgnored private var next: RepositoryPage.Position?
    @ObservationIgnored private var loading: OwnedTask?
    @ObservationIgnored private var pictureLoading: OwnedTask?
    @ObservationIgnored private let gitHub: GitHub
    private weak var account: AccountModel?

    /// The number of repositories per page.
    static let pageSize = 50

    init(_ person: User, from gitHub: GitHub, of account: AccountModel) {
        self.person = person
        self.gitHub = gitHub
        self.account = account
        providerName = account.provider.name
        loadPicture()
    }
}

extension RepositoriesModel {
    /// The text for the end of the list: "237 repositories". Says how to see private repositories if the sign-in did not ask for them.
    public var countText: String {
        let count = RepositoryLine.count(repositories.count)
        guard lacksPrivate else { return count }
        return "\(count). To see private ones, add the scope “repo” to the settings file, then sign in again."
    }

    /// The user's name, or login if the user has not set a name.
    public var title: String { name ?? person.login }

    /// The login, or the name of the service if the title is already the login.
    public var subtitle: String { name == nil ? providerName : person.login }

    private var name: String? { person.name.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 } }

    /// The problem to show: that of the last page, or else that of the session's last refresh.
    public var problem: AppProblem? { pageProblem ?? account?.notice }

    /// Loads the next page. Call it when the list appears and whenever its end becomes visible; it has no effect at any other time.
    public func loadMore() {
        guard activity == nil, !isComplete, pageProblem == nil, let account else { return }
        account.follow()
        guard !account.isUnconfirmed else { return }
        load(.loadingMore)
    }

    /// Lists a different selection of repositories, from the first page.
    public func select(_ selection: RepositorySelection) {
        guard selection != self.selection else { return }
        self.selection = selection
        stop()
        (pageProblem, interrupted, next) = (nil, nil, nil)
        (repositories, isComplete) = ([], false)
        loadMore()
    }

    /// Loads the list again. The old list stays visible until the first page arrives.
    public func refresh() async {
        if activity != .refreshing {
            account?.confirm()
            load(.refreshing)
            loadPicture()
        }
        await loading?.end()
    }

    /// Retries what the problem is about.
    public func tryAgain() async {
        guard pageProblem != nil, let interrupted else {
            await account?.tryAgain()
            return
        }
        account?.confirm()
        load(interrupted)
        await loading?.end()
    }

    /// Shows the sign-in page again, for a problem with this remedy. The list is shown again if the same user signs in.
    public func signInAgain() { account?.signIn() }

    /// Deletes the tokens and revokes them.
    ///
    /// - Parameter atProvider: Whether to show the service's log-out page afterwards, so that the browser's session there ends, too.
    public func signOut(atProvider: Bool = false) async { await account?.signOut(atProvider: atProvider) }

    /// The label for also signing out at the service; nil if the service has no log-out page.
    public var providerSignOutText: String? { account?.provider.logoutText }

    /// The label of the command that signs out of this app: it says “Here” if there is another one that also signs out at the service.
    public var signOutText: String { providerSignOutText == nil ? "Sign Out" : "Sign Out Here" }
}

extension RepositoriesModel {
    /// Updates the facts about the same user.
    func know(_ person: User) {
        let hasOtherPicture = person.avatar != self.person.avatar
        if self.person != person { self.person = person }
        guard hasOtherPicture else { return }
        picture = nil
        pictureLoading?.cancel()
        pictureLoading = nil
        loadPicture()
    }

    /// Resumes what was interrupted, now that the user is known again.
    func resume(afterProblem: Bool) {
        if let interrupted, activity == nil, afterProblem || pageProblem == nil { load(interrupted) }
    }

    /// Cancels what is being loaded; the list stays.
    func stop() {
        loading?.cancel()
        (loading, activity) = (nil, nil)
    }

    private enum Outcome {
        case page(RepositoryPage)
        case problem(AppProblem)
        /// It is unknown who is signed in, or it is another user. The response was dropped.
        case unconfirmed
    }

    private func load(_ activity: Activity) {
        loading?.cancel()
        self.activity = activity
        (pageProblem, interrupted) = (nil, nil)
        let position = activity == .refreshing ? nil : next
        loading = OwnedTask { [weak self, gitHub, providerName, selection] in
            let outcome = await Self.read(selection, from: gitHub, at: position, called: providerName) { self }
            guard !Task.isCancelled else { return }
            self?.take(outcome, of: activity)
        }
    }

    /// Loads a page. The session may have another user's credential by the time it sends the request. The page is accepted if the
    /// credentials before and after it are the same, or one follows from the other, and both are known to belong to this user.
    private static func read(
        _ selection: RepositorySelection, from gitHub: GitHub, at position: RepositoryPage.Position?, called provider: String,
        for model: () -> RepositoriesModel?
    ) async -> Outcome {
        for _ in 0..<3 {
            guard let before = await confirmedGeneration(of: model) else { return .unconfirmed }
            let page: RepositoryPage
            do throws(GitHubError) {
                page = try await gitHub.repositoryPage(selection, at: position, perPage: pageSize)
            } catch {
                return await confirmedGeneration(of: model) == nil ? .unconfirmed : .problem(AppProblem(error, at: provider))
            }
            guard !Task.isCancelled, let after = await confirmedGeneration(of: model) else { return .unconfirmed }
            if after <= before + 1 { return .page(page) }
        }
        return .problem(.restless(provider))
    }

    private static func confirmedGeneration(of model: () -> RepositoriesModel?) async -> UInt64? {
        guard let identity = model().map(ObjectIdentifier.init) else { return nil }
        return await AccountModel.confirmedGeneration(of: identity) { model()?.account }
    }

    private func take(_ outcome: Outcome, of activity: Activity) {
        self.activity = nil
        switch outcome {
        case .page(let page):
            add(page, replacing: activity == .refreshing)
        case .problem(let problem):
            (pageProblem, interrupted) = (problem, activity)
        case .unconfirmed:
            interrupted = activity
        }
    }

    /// Adds a page to the list. A repository that moved in the meantime is on two pages. A page without new repositories counts as the last
    /// one, because a server whose links form a loop would otherwise be asked forever.
    private func add(_ page: RepositoryPage, replacing: Bool) {
        var list = replacing ? [] : repositories
        let count = list.count
        var known = Set(list.map(\.id))
        list += page.repositories.filter { known.insert($0.id).inserted }
        next = page.next
        isComplete = page.next == nil || list.count == count
        lacksPrivate = page.lacksPrivate
        repositories = list
    }

    private func loadPicture() {
        guard picture == nil, pictureLoading == nil, let account, let address = person.avatar else { return }
        guard let loader = PictureLoader(of: account.provider.service, by: account.dependencies) else { return }
        pictureLoading = OwnedTask { [weak self] in
            let picture = await loader.picture(at: address)
            guard !Task.isCancelled else { return }
            self?.pictureLoading = nil
            self?.picture = picture
        }
    }
}
