import AuthHubApp
import GTKWidgets
import GitHubAPI

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The second screen: the user's repositories, which are loaded as the end of the list comes near.
@MainActor
final class RepositoriesScreen: Screen {
    let root: Widget
    let model: RepositoriesModel
    let isOfPerson = true
    private let avatar = Avatar(size: 28)
    private let refreshing = Spinner().accessibleName("Refreshing")
    private let header: HeaderBar
    private let bar: ProblemBar
    private let list = List(accessibleName: "Repositories")
    private let selection = ChoiceRow("Show", of: RepositorySelection.allCases.map(\.label))
    private let search = SearchEntry(accessibleName: "Filter Repositories")
    private let scroller: Scroller
    private let loading = Spinner().accessibleName("Loading more repositories").centered(horizontally: true)
    private let count = Label().style("dim-label")
    private var rows: [RepositoryRow] = []
    private var shown: [Repository] = []
    private var wasRefreshing = false
    private var rendering: Rendering?
    private var picturing: Rendering?

    init(_ model: RepositoriesModel, accounts: [Widget.MenuItem]) {
        self.model = model
        header = HeaderBar(
            start: [avatar],
            end: [
                refreshing, Button(icon: "view-refresh-symbolic", accessibleName: "Refresh").action("app.refresh"),
                .mainMenu(accounts: accounts, signOut: model.signOutText, providerSignOut: model.providerSignOutText),
            ])
        bar = ProblemBar(tryAgain: model.tryAgain, signInAgain: model.signInAgain)
        let content = Box.vertical(spacing: 18, Group(selection), search, TabStop(list), loading, count).margins(
            vertical: 18, horizontal: 12)
        scroller = Scroller(Clamp(content, width: 720))
        root = Box.vertical(header, bar.root, scroller.expanding(vertically: true))
        scroller.onChange { [weak self] in self?.readOn() }
        search.onSearch { [weak self] in
            if let self { model.filter = search.text }
        }
        selection.onChange { [weak self] in self?.select() }
        rendering = Rendering { [weak self] in self?.render() }
        picturing = Rendering { [weak self] in self?.renderPerson() }
    }

    func appear(in window: Window) {
        model.loadMore()
    }

    func refresh() { Task { await model.refresh() } }

    func filter() { search.grabFocus() }

    func signOut(atProvider: Bool) { Task { await model.signOut(atProvider: atProvider) } }
}

extension RepositoriesScreen {
    private func renderPerson() {
        header.title.set(model.title, subtitle: model.subtitle)
        avatar.set(name: model.title)
        avatar.accessibleName("Picture of \(model.person.login)")
        avatar.set(picture: model.picture)
    }

    private func select() {
        model.select(RepositorySelection.allCases[selection.selected])
    }

    private func render() {
        selection.selected = RepositorySelection.allCases.firstIndex(of: model.selection) ?? 0
        let (activity, repositories) = (model.activity, model.matches)
        let barHadFocus = bar.root.containsFocus
        bar.show(model.problem)
        if barHadFocus, model.problem == nil { list.focusShownRow() }
        refreshing.setSpinning(activity == .refreshing)
        loading.setSpinning(activity == .loadingMore)
        count.text = model.countText
        count.setVisible(model.isComplete)
        let isRefreshed = wasRefreshing && activity != .refreshing
        wasRefreshing = activity == .refreshing
        show(repositories, anew: isRefreshed)
        if isRefreshed { scroller.scrollToTop() }
        // Not immediately, because it changes the model that is being read here.
        Task { readOn() }
    }

    /// Shows repositories. Existing rows remain: appending rows does not move the visible ones.
    private func show(_ repositories: [Repository], anew: Bool) {
        let now = Date()
        let hadRows = !rows.isEmpty
        for (index, repository) in repositories.enumerated() {
            if index == rows.count {
                let row = RepositoryRow()
                row.show(RepositoryLine(repository, now: now))
                rows.append(row)
                list.append(row)
            } else if anew || repository != shown[index] {
                rows[index].show(RepositoryLine(repository, now: now))
            }
        }
        while rows.count > repositories.count, let row = rows.popLast() {
            if row.containsFocus { rows.first?.grabFocus() }
            list.remove(row)
        }
        shown = repositories
        list.setVisible(!rows.isEmpty)
        // Nothing could have the focus before there were rows.
        if !hadRows, !search.containsFocus { rows.first?.grabFocus() }
    }

    private func readOn() {
        guard let pages = scroller.pagesBelow, pages < 1 else { return }
        model.loadMore()
    }
}
