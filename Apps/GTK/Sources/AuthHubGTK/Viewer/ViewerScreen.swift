import AniListAPI
import AuthHubApp
import AuthHubPrimitives
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
        if let address = model.viewer.page, WebAddress.isOne(address) {
            link.append(LinkButton("Your page at \(model.providerName)", address: address).centered(horizontally: true))
        }
        bar = ProblemBar { [model] remedy in
            switch remedy {
            case .tryAgain: Task { await model.tryAgain() }
            case .signIn: model.signInAgain()
            case .none: break
            }
        }
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

/// An address that a service sent, to be opened in the browser.
enum WebAddress {
    /// Whether it leads to the web, or to a development server here, and not into a program of the person's computer.
    static func isOne(_ address: String) -> Bool {
        address.hasPrefix("https://") || (address.hasPrefix("http://") && Origin(url: address)?.isLoopback == true)
    }
}
