import AuthHub
public import GitHubAPI
public import Observation

/// The repositories of the person who is signed in, page by page as they are looked at.
@MainActor @Observable
public final class RepositoriesModel {
    /// What the model is doing.
    public enum Activity: Sendable, Hashable {
        case loadingMore
        /// From the first page, while what was there stays shown.
        case refreshing
    }

    /// Whose repositories these are.
    public internal(set) var person: User
    /// What the service is called.
    public let providerName: String
    /// In the service's own order, as far as was read.
    public private(set) var repositories: [Repository] = []
    /// Whether the last page was read.
    public private(set) var isComplete = false
    public private(set) var activity: Activity?
    /// The person's picture, as the service sent it; nil before it is there, and where there is none.
    public private(set) var picture: [UInt8]?

    private var loadingProblem: AppProblem?
    @ObservationIgnored private var next: RepositoryPage.Position?
    @ObservationIgnored private var loading: Task<Void, Never>?
    @ObservationIgnored private let gitHub: GitHub
    private weak var account: AccountModel?

    /// How many repositories are asked for at once.
    static let pageSize = 50

    init(_ person: User, from gitHub: GitHub, of account: AccountModel) {
        self.person = person
        self.gitHub = gitHub
        self.account = account
        providerName = account.provider.name
    }

    deinit {
        loading?.cancel()
    }
}

extension RepositoriesModel {
    /// What the person has to know of: the last page that could not be read, else what the session says of its last refresh.
    public var problem: AppProblem? {
        if let loadingProblem { return loadingProblem }
        if case .signedIn(let facts)? = account?.state, let problem = facts.problem {
            return AppProblem(problem, at: providerName, isSignedIn: true)
        }
        return account?.problem
    }

    /// Reads the next page. To be called when the list is shown, and whenever its end comes into sight; harmless at any other time.
    public func loadMore() {
        guard activity == nil, !isComplete, loadingProblem == nil else { return }
        load(.loadingMore, at: next)
    }

    /// Reads the list anew; what was there is shown until the first page has come.
    public func refresh() async {
        if activity != .refreshing { load(.refreshing, at: nil) }
        await loading?.value
    }

    /// Does again what the problem is about.
    public func tryAgain() async {
        let isListed = loadingProblem != nil
        loadingProblem = nil
        if isListed {
            load(repositories.isEmpty ? .refreshing : .loadingMore, at: next)
            await loading?.value
        } else {
            await account?.tryAgain()
        }
    }

    /// Shows the sign-in page again, for a problem whose remedy that is. What is listed is shown again where the same person comes back.
    public func signInAgain() { account?.signIn() }

    /// Forgets the tokens, and has them revoked.
    public func signOut() async { await account?.signOut() }

    private func load(_ activity: Activity, at position: RepositoryPage.Position?) {
        loading?.cancel()
        self.activity = activity
        loadingProblem = nil
        loading = Task { [gitHub] in
            do throws(GitHubError) {
                let page = try await gitHub.repositoryPage(at: position, perPage: Self.pageSize)
                guard !Task.isCancelled else { return }
                take(page, replacing: activity == .refreshing)
            } catch {
                guard !Task.isCancelled else { return }
                loadingProblem = AppProblem(error, at: providerName)
            }
            self.activity = nil
        }
    }

    private func take(_ page: RepositoryPage, replacing: Bool) {
        if replacing { repositories = [] }
        // One that moved while the list was read is on two pages.
        let known = Set(repositories.map(\.id))
        repositories += page.repositories.filter { !known.contains($0.id) }
        next = page.next
        isComplete = page.next == nil
    }
}
