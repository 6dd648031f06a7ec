import AuthHubApp
import AuthHubPrimitives
import GTKWidgets

/// The window, which shows the model's screen.
@MainActor
final class MainWindow {
    private let application: Application
    private let window: Window
    private let stack = Stack()
    private let setUp: @MainActor () -> Void
    private var model: AppModel?
    private var signIn: SignInScreen?
    private var screen: (any Screen)?
    private var rendering: Rendering?
    private var wasWaitingForPerson = false

    private static let sizeFile = "\(Places.state)/authhub/app/window.ini"

    /// Creates the window.
    ///
    /// - Parameters:
    ///   - setUp: Reloads the settings.
    ///   - end: Ends the app.
    init(_ application: Application, setUp: @escaping @MainActor () -> Void, end: @escaping @MainActor () -> Void) {
        self.application = application
        self.setUp = setUp
        window = Window(of: application, title: "AuthHub")
        application.load(style: Self.style)
        window.restoreSize(from: Self.sizeFile, width: 680, height: 720)
        window.setContent(stack)
        window.onClose(run: end)
        application.addAction("quit", keys: ["<Control>q", "<Control>w"], run: end)
        application.addAction("about") { [weak self] in self?.showAbout() }
        application.addAction("refresh", keys: ["F5", "<Control>r"]) { [weak self] in self?.screen?.refresh() }
        application.addAction("filter", keys: ["<Control>f"]) { [weak self] in self?.screen?.filter() }
        application.addAction("sign-out") { [weak self] in self?.screen?.signOut(atProvider: false) }
        application.addAction("sign-out-at-provider") { [weak self] in self?.screen?.signOut(atProvider: true) }
    }

    func present() {
        window.setVisible(true)
        window.present()
    }

    func hide() {
        window.saveSize(to: Self.sizeFile)
        window.setVisible(false)
    }

    /// Shows the model's screen from now on.
    func show(_ model: AppModel) {
        self.model = model
        signIn = SignInScreen(model.signIn)
        for provider in model.signIn.providers {
            application.addAction(Self.switching(to: provider)) { model.signIn.choice = provider.id }
        }
        rendering = Rendering { [weak self] in self?.render() }
    }

    func show(_ problem: SetupProblem) {
        switch problem {
        case .noSettings(let folder): show(NewServiceScreen(savingIn: folder, start: setUp))
        case .problem(let problem): show(SetupScreen(problem, tryAgain: setUp))
        }
    }
}

extension MainWindow {
    private func render() {
        guard let model, let signIn else { return }
        let accounts = model.signIn.others.map { (label: "Switch to \($0.name)", action: "app.\(Self.switching(to: $0))") }
        switch model.screen {
        case .signIn: show(signIn)
        case .repositories(let model):
            if (screen as? RepositoriesScreen)?.model !== model { show(RepositoriesScreen(model, accounts: accounts)) }
        case .viewer(let model):
            if (screen as? ViewerScreen)?.model !== model { show(ViewerScreen(model, accounts: accounts)) }
        }
        raise(whenDone: model.signIn.activity == .waitingForPerson)
    }

    /// Returns the name of the action that switches to a service. Names of files may have characters that names of actions may not.
    private static func switching(to provider: AppProvider) -> String {
        "switch-to-" + provider.id.utf8.map { "\($0)" }.joined(separator: "-")
    }

    /// Raises the window above the browser when the user is done with it.
    private func raise(whenDone isWaitingForPerson: Bool) {
        if wasWaitingForPerson, !isWaitingForPerson { window.raise() }
        wasWaitingForPerson = isWaitingForPerson
    }

    private func show(_ next: any Screen) {
        guard next !== screen else { return }
        let last = screen
        screen = next
        application.enableAction("refresh", next.isOfPerson)
        application.enableAction("filter", next.isOfPerson)
        application.enableAction("sign-out", next.isOfPerson)
        application.enableAction("sign-out-at-provider", next.isOfPerson)
        window.setDefault(nil)
        stack.show(next.root)
        next.appear(in: window)
        if let last { stack.remove(last.root) }
    }

    private func showAbout() {
        window.showAbout(
            name: "AuthHub", icon: DesktopApp.identifier, version: AuthHubVersion.current,
            comments: "Sign in to GitHub or AniList and show your repositories or profile.")
    }

    private static let style = """
        .problem-bar { background-color: @warning_bg_color; color: @warning_fg_color; padding: 12px; }
        .repository { padding: 12px; }
        """
}
