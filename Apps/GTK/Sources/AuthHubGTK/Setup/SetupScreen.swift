import AuthHubApp
import GTKWidgets

/// The screen that is shown instead of all others while the app cannot start.
@MainActor
final class SetupScreen: Screen {
    let root: Widget
    private let page: StatusPage
    private let button = Button("Try Again").style("pill", "suggested-action").centered(horizontally: true)

    init(_ setup: SetupProblem, tryAgain: @escaping @MainActor () -> Void) {
        let header = HeaderBar(end: [.mainMenu()])
        header.title.set("AuthHub")
        let content = Box.vertical(spacing: 24)
        if let example = setup.example {
            content.append(Clamp(Label(example).atStart().selectable().style("monospace", "card", "example"), width: 460))
        }
        content.append(button.onClick(run: tryAgain))
        page = StatusPage(icon: "preferences-system-symbolic", child: content)
        page.set(setup.problem.text, description: setup.problem.advice)
        root = Box.vertical(header, page.expanding(vertically: true))
    }

    func appear(in window: Window) {
        window.setDefault(button)
        button.grabFocus()
    }
}
