import AuthHubApp
import GTKWidgets

/// The first screen: the provider, the reason to sign in, and the progress.
@MainActor
final class SignInScreen: Screen {
    let root: Widget
    private let model: SignInModel
    private let bar = ProblemBar()
    private let page: StatusPage
    private let service: ChoiceRow
    private let privateWindow = SwitchRow("Private window", subtitle: SignInModel.ephemeralBrowserText)
    private let choices: Group
    private let status = Label()
    private let spinner = Spinner()
    private let busy: Box
    private let notice = Label().wrapping().style("warning")
    private let hint = Label().wrapping().style("dim-label")
    private let paste: PasteField
    private let signIn = Button("Sign In").style("pill", "suggested-action")
    private let tryAgain = Button("Try Again").style("pill", "suggested-action")
    private let signOut = Button("Sign Out").style("pill")
    private let openAgain = Button("Open Again").style("pill")
    private let copyAddress = Button("Copy Address").style("pill")
    private let cancel = Button("Cancel").style("pill")
    private var rendering: Rendering?
    private weak var window: Window?
    private var main: Widget?

    init(_ model: SignInModel) {
        self.model = model
        service = ChoiceRow("Service", of: model.providers.map(\.name))
        service.setVisible(model.providers.count > 1)
        paste = PasteField { model.paste($0) }
        busy = Box.horizontal(spacing: 12, spinner, status).centered(horizontally: true)
        let buttons = Box.horizontal(spacing: 12, tryAgain, signIn, signOut, openAgain, copyAddress, cancel).centered(horizontally: true)
        choices = Group(service, privateWindow)
        let content = Box.vertical(spacing: 24, choices, busy, notice, hint, paste.root, buttons)
        page = StatusPage(icon: "avatar-default-symbolic", child: Clamp(content, width: 460))
        let header = HeaderBar(end: [.mainMenu()])
        header.title.set("AuthHub")
        root = Box.vertical(header, bar.root, page.expanding(vertically: true))
        connect()
        rendering = Rendering { [weak self] in self?.render() }
    }

    func appear(in window: Window) {
        self.window = window
        main = nil
        emphasize()
    }
}

extension SignInScreen {
    private func connect() {
        service.onChange { [weak self] in
            guard let self, model.providers.indices.contains(service.selected) else { return }
            model.choice = model.providers[service.selected].id
        }
        privateWindow.onChange { [weak self] in
            if let self { model.usesEphemeralBrowser = privateWindow.isOn }
        }
        signIn.onClick { [model] in model.signIn() }
        tryAgain.onClick { [model] in Task { await model.tryAgain() } }
        signOut.onClick { [model] in Task { await model.signOut() } }
        openAgain.onClick { [model] in Task { await model.openAgain() } }
        copyAddress.onClick { [weak self] in
            if let self, let url = model.pageURL { window?.copy(url) }
        }
        cancel.onClick { [model] in model.cancel() }
        root.onKeys("Escape") { [model] in
            if model.canCancel { model.cancel() }
        }
    }

    private func render() {
        let activity = model.activity
        page.set("Sign in to \(model.providerName)", description: model.reason)
        bar.show(model.problem)
        service.selected = model.providers.firstIndex { $0.id == model.choice } ?? 0
        privateWindow.isOn = model.usesEphemeralBrowser
        service.setSensitive(model.canChoose)
        privateWindow.setSensitive(activity == nil)
        status.text = activity?.text ?? ""
        busy.setVisible(activity != nil)
        spinner.setSpinning(activity != nil)
        show(model.notice, in: notice)
        show(model.hint, in: hint)
        // Nothing can be chosen then, and the space is needed.
        choices.setVisible(model.question == nil && (model.providers.count > 1 || model.offersEphemeralBrowser))
        privateWindow.setVisible(model.offersEphemeralBrowser)
        paste.show(model.question)
        signIn.set(label: model.isSignedIn ? "Sign In Again" : "Sign In")
        signIn.setVisible(model.canSignIn)
        tryAgain.setVisible(model.canTryAgain)
        signOut.setVisible(model.canSignOut)
        openAgain.setVisible(model.canOpenAgain)
        copyAddress.setVisible(model.pageURL != nil)
        cancel.setVisible(model.canCancel)
        emphasize()
    }

    private func show(_ text: String?, in label: Label) {
        label.text = text ?? ""
        label.setVisible(text != nil)
    }

    /// Moves the focus to the next control if that has changed.
    private func emphasize() {
        guard let window else { return }
        let choices: [(Bool, Widget)] = [
            (model.question != nil, paste.entry), (model.canCancel, cancel), (model.canTryAgain, tryAgain), (model.canSignIn, signIn),
            (model.canSignOut, signOut),
        ]
        let main = choices.first(where: \.0)?.1
        guard main !== self.main else { return }
        self.main = main
        // Enter in another field must not cancel.
        window.setDefault(main === tryAgain || main === signIn ? main : nil)
        main?.grabFocus()
    }
}
