import AuthHubApp
import GTKWidgets

/// The screen that is shown instead of all others while the app cannot start.
@MainActor
final class SetupScreen: Screen {
    let root: Widget
    private let page: StatusPage
    private let button = Button("Try Again").style("pill", "suggested-action").centered(horizontally: true)

    init(_ problem: AppProblem, tryAgain: @escaping @MainActor () -> Void) {
        let header = HeaderBar(end: [.mainMenu()])
        header.title.set("AuthHub")
        page = StatusPage(icon: "preferences-system-symbolic", child: button.onClick(run: tryAgain))
        page.set(problem.text, description: problem.advice)
        root = Box.vertical(header, page.expanding(vertically: true))
    }

    func appear(in window: Window) {
        window.setDefault(button)
        button.grabFocus()
    }
}
