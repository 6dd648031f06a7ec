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
    public private(set) var person: User
    /// What the service is called.
    public let providerName: String
    /// In the service's own order, as far as was read.
    public private(set) var repositories: [Repository] = []
    /// Which repositories are listed.
    public private(set) var selection = RepositorySelection.all
    /// Whether the last page was read.
    public private(set) var isComplete = false
    public private(set) var activity: Activity?
    /// The person's picture, as the service sent it: PNG or JPEG. nil before it is there, and where there is none.
    public private(set) var picture: [UInt8]?

    private var pageProblem: AppProblem?
    /// What ended without its page.
    @ObservationIgnored private var interrupted: Activity?
    @ObservationIgnored private var next: RepositoryPage.Position?
    @ObservationIgnored private var loading: OwnedTask?
    @ObservationIgnored private var pictureLoading: OwnedTask?
    @ObservationIgnored private let gitHub: GitHub
    private weak var account: AccountModel?

    /// How many repositories are asked for at once.
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
    /// Whose repositories these are, by the name that the person gave, or the one they sign in with.
    public var title: String { name ?? person.login }

    /// The rest: the name they sign in with, or the service.
    public var subtitle: String { name == nil ? providerName : person.login }

    private var name: String? { person.name.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 } }

    /// What the person has to know of: the last page that could not be read, else what the session says of its last refresh.
    public var problem: AppProblem? { pageProblem ?? account?.notice }

    /// Reads the next page. To be called when the list is shown, and whenever its end comes into sight; harmless at any other time.
    public func loadMore() {
        guard activity == nil, !isComplete, pageProblem == nil, let account else { return }
        account.follow()
        guard !account.isUnconfirmed else { return }
        load(.loadingMore)
    }

    /// Lists other repositories of the person, from their first page.
    public func select(_ selection: RepositorySelection) {
        guard selection != self.selection else { return }
        self.selection = selection
        stop()
        (pageProblem, interrupted, next) = (nil, nil, nil)
        (repositories, isComplete) = ([], false)
        loadMore()
    }

    /// Reads the list anew; what was there is shown until the first page has come.
    public func refresh() async {
        if activity != .refreshing {
            account?.confirm()
            load(.refreshing)
            loadPicture()
        }
        await loading?.end()
    }

    /// Does again what the problem is about.
    public func tryAgain() async {
        guard pageProblem != nil, let interrupted else {
            await account?.tryAgain()
            return
        }
        account?.confirm()
        load(interrupted)
        await loading?.end()
    }

    /// Shows the sign-in page again, for a problem whose remedy that is. What is listed is shown again where the same person comes back.
    public func signInAgain() { account?.signIn() }

    /// Forgets the tokens, and has them revoked.
    ///
    /// - Parameter atProvider: Whether to show the service's log-out page then, so that the browser's session there ends, too.
    public func signOut(atProvider: Bool = false) async { await account?.signOut(atProvider: atProvider) }

    /// What signing out at the service, too, is called; nil if the service has no log-out page.
    public var providerSignOutText: String? { account?.provider.logoutText }

    /// What signing out here is called.
    public var signOutText: String { providerSignOutText == nil ? "Sign Out" : "Sign Out Here" }
}

extension RepositoriesModel {
    /// The same person, as they are now.
    func know(_ person: User) {
        let hasOtherPicture = person.avatar != self.person.avatar
        if self.person != person { self.person = person }
        guard hasOtherPicture else { return }
        picture = nil
        pictureLoading?.cancel()
        pictureLoading = nil
        loadPicture()
    }

    /// Goes on with what was interrupted, since it is known again who is signed in.
    func resume(afterProblem: Bool) {
        if let interrupted, activity == nil, afterProblem || pageProblem == nil { load(interrupted) }
    }

    /// Ends what is being loaded; what is listed stays.
    func stop() {
        loading?.cancel()
        (loading, activity) = (nil, nil)
    }

    private enum Outcome {
        case page(RepositoryPage)
        case problem(AppProblem)
        /// It is not known who is signed in, or it is somebody else: nothing was taken.
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

    /// The session may have got another person's credential by the time it sends the request. A page is taken where the credentials in use
    /// before and after it are the same, or follow one another, and both are known to be this person's.
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

    /// A repository that moved while the list was read is on two pages. A page with nothing new is the last: a server whose links lead in a
    /// circle would be asked for ever.
    private func add(_ page: RepositoryPage, replacing: Bool) {
        var list = replacing ? [] : repositories
        let count = list.count
        var known = Set(list.map(\.id))
        list += page.repositories.filter { known.insert($0.id).inserted }
        next = page.next
        isComplete = page.next == nil || list.count == count
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
