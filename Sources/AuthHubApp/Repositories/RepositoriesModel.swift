public import GitHubAPI
public import Observation

/// The model of the repository list, which loads the signed-in user's repositories page by page as the user scrolls.
@MainActor @Observable
public final class RepositoriesModel {
    /// The current activity of the model.
    public enum Activity: Sendable, Hashable {
        case loadingMore
        /// The list is being loaded again from the first page, and the old list stays visible.
        case refreshing
    }

    /// The user whose repositories are listed.
    public private(set) var person: User
    /// The name of the service.
    public let providerName: String
    /// The repositories that have been loaded so far, in the service's own order.
    public private(set) var repositories: [Repository] = []
    /// Which repositories to list.
    public private(set) var selection = RepositorySelection.all
    /// The words that every repository in ``matches`` has in its name or description; without words, all repositories match.
    public var filter = ""
    /// Whether the last page has been loaded.
    public private(set) var isComplete = false
    private var lacksPrivate = false
    /// The activity in progress; nil if no page is being loaded.
    public private(set) var activity: Activity?
    /// The user's picture as PNG or JPEG, as the service sent it; nil if it has not been loaded, or if there is none.
    public var picture: [UInt8]? { userPicture.bytes }

    private var pageProblem: AppProblem?
    /// The activity that was interrupted before its page arrived.
    @ObservationIgnored private var interrupted: Activity?
    @ObservationIgnored private var next: RepositoryPage.Position?
    @ObservationIgnored private var loading: OwnedTask?
    @ObservationIgnored private let userPicture: UserPicture
    @ObservationIgnored private let gitHub: GitHub
    private weak var account: AccountModel?

    /// The number of repositories per page.
    static let pageSize = 50

    init(_ person: User, from gitHub: GitHub, of account: AccountModel) {
        self.person = person
        self.gitHub = gitHub
        self.account = account
        providerName = account.provider.name
        userPicture = UserPicture(at: person.avatar, by: PictureLoader(of: account.provider.service, by: account.dependencies))
    }
}

extension RepositoriesModel {
    /// The loaded repositories that match the ``filter``.
    public var matches: [Repository] {
        let words = filter.lowercased().split(whereSeparator: \.isWhitespace)
        if words.isEmpty { return repositories }
        return repositories.filter { repository in
            let text = "\(repository.fullName)\n\(repository.about ?? "")".lowercased()
            return words.allSatisfy { text.contains($0) }
        }
    }

    /// The text at the end of the list, such as "237 repositories", or "2 of 237 repositories" with a ``filter``. Says how to see private
    /// repositories if the token does not give access to them.
    public var countText: String {
        let matches = matches.count
        let all = RepositoryLine.count(repositories.count)
        let count = matches == repositories.count ? all : "\(matches) of \(all)"
        guard lacksPrivate else { return count }
        return "\(count). To see private ones, add the scope “repo” to the settings file, then sign in again."
    }

    /// The user's name, or the login if the user has not set a name.
    public var title: String { name ?? person.login }

    /// The text below the title: the login, or the name of the service if the title is already the login.
    public var subtitle: String { name == nil ? providerName : person.login }

    private var name: String? { person.name.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 } }

    /// The problem to show: the problem of the last page if there is one, otherwise that of the session's last refresh.
    public var problem: AppProblem? { pageProblem ?? account?.notice }

    /// Loads the next page. Call it when the list appears and whenever its end becomes visible. Has no effect if a page is being loaded, if
    /// there are no more pages, or if the last page could not be loaded.
    public func loadMore() {
        guard activity == nil, !isComplete, pageProblem == nil, let account else { return }
        account.follow()
        guard !account.isUnconfirmed else { return }
        load(.loadingMore)
    }

    /// Lists a different selection of repositories, starting with the first page.
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
            userPicture.load()
        }
        await loading?.end()
    }

    /// Repeats the action that caused ``problem``.
    public func tryAgain() async {
        guard pageProblem != nil, let interrupted else {
            await account?.tryAgain()
            return
        }
        account?.confirm()
        load(interrupted)
        await loading?.end()
    }

    /// Shows the sign-in page again. Call it if the remedy of ``problem`` is to sign in. The list is shown again if the same user signs in.
    public func signInAgain() { account?.signIn() }

    /// Signs out: deletes the tokens and revokes them at the service.
    ///
    /// - Parameter atProvider: Whether to show the service's logout page afterwards, so that the user is signed out in the browser as well.
    public func signOut(atProvider: Bool = false) async { await account?.signOut(atProvider: atProvider) }

    /// The label of the button that signs out at the service as well; nil if the service has no logout page.
    public var providerSignOutText: String? { account?.provider.logoutText }

    /// The label of the button that signs out of the app.
    public var signOutText: String { providerSignOutText == nil ? "Sign Out" : "Sign Out Here" }
}

extension RepositoriesModel {
    /// Updates the facts about the same user.
    func know(_ person: User) {
        if self.person != person { self.person = person }
        userPicture.move(to: person.avatar)
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

    /// Adds a page to the list. A repository that moved in the meantime can be on two pages. A page without new repositories counts as
    /// the last one, because otherwise a server whose links form a loop would be asked forever.
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
}
