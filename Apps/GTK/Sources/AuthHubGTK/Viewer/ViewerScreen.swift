import AniListAPI
import AuthHubApp
import GTKWidgets

/// The person who is signed in at AniList.
@MainActor
final class ViewerScreen: Screen {
    let root: Widget
    let model: ViewerModel
    let isOfPerson = true
    private let header = HeaderBar(end: [.mainMenu(isSignedIn: true)])
    private let bar: ProblemBar
    private let page: StatusPage
    private let link = Box.vertical()
    private let button = Button("Sign Out").style("pill").centered(horizontally: true).action("app.sign-out")
    private var rendering: Rendering?

    init(_ model: ViewerModel) {
        self.model = model
        page = StatusPage(icon: "avatar-default-symbolic", child: Box.vertical(spacing: 24, link, button))
        // The page does not change while somebody is signed in.
        if let page = model.page {
            link.append(LinkButton(model.pageText, address: page).centered(horizontally: true))
        }
        bar = ProblemBar(tryAgain: model.tryAgain, signInAgain: model.signInAgain)
        root = Box.vertical(header, bar.root, page.expanding(vertically: true))
        rendering = Rendering { [weak self] in self?.render() }
    }

    func appear(in window: Window) { button.grabFocus() }

    func signOut() { Task { await model.signOut() } }

    private func render() {
        bar.show(model.problem)
        header.title.set(model.viewer.name, subtitle: model.providerName)
        page.set(model.viewer.name, description: "You are signed in at \(model.providerName).")
    }
}
