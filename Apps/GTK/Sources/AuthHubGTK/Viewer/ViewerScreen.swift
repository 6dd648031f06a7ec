import AuthHubApp
import GTKWidgets

/// The screen of a service that shows only who is signed in: the user's name, picture and web page.
@MainActor
final class ViewerScreen: Screen {
    let root: Widget
    let model: ViewerModel
    let isOfPerson = true
    private let avatar = Avatar(size: 28)
    private let header: HeaderBar
    private let bar: ProblemBar
    private let page: StatusPage
    private let link = Box.vertical()
    private let button: Widget
    private var rendering: Rendering?

    init(_ model: ViewerModel, accounts: [Widget.MenuItem]) {
        self.model = model
        header = HeaderBar(
            start: [avatar],
            end: [.mainMenu(accounts: accounts, signOut: model.signOutText, providerSignOut: model.providerSignOutText)])
        button = Button(model.signOutText).style("pill").centered(horizontally: true).action("app.sign-out")
        page = StatusPage(icon: "avatar-default-symbolic", child: Box.vertical(spacing: 24, link, button))
        // The page does not change while a user is signed in.
        if let page = model.page {
            link.append(LinkButton(model.pageText, address: page).centered(horizontally: true))
        }
        bar = ProblemBar(tryAgain: model.tryAgain, signInAgain: model.signInAgain)
        root = Box.vertical(header, bar.root, page.expanding(vertically: true))
        rendering = Rendering { [weak self] in self?.render() }
    }

    func appear(in window: Window) { button.grabFocus() }

    func signOut(atProvider: Bool) { Task { await model.signOut(atProvider: atProvider) } }

    private func render() {
        bar.show(model.problem)
        header.title.set(model.name, subtitle: model.providerName)
        avatar.set(name: model.name)
        avatar.accessibleName("Picture of \(model.name)")
        avatar.set(picture: model.picture)
        page.set(model.name, description: "You are signed in at \(model.providerName).")
    }
}
