import AuthHubApp
import AuthHubPrimitives
import GTKWidgets

/// The screen of an app without settings: where to register a client, and fields for what the provider shows then.
@MainActor
final class NewServiceScreen: Screen {
    let root: Widget
    private let folder: String
    private let start: @MainActor () -> Void
    private let bar: ProblemBar
    private let service = ChoiceRow("Service", of: NewService.all.map(\.name))
    private let clientID = EntryRow("Client ID")
    private let secret = PasswordRow("Client secret")
    private let advice = Label("Register an app with this callback URL:").atStart()
    private let redirectURI = Label().atStart().selectable().style("monospace")
    private let registration = LinkButton("Open the Registration Page", address: "")
    private let button = Button("Continue").style("pill", "suggested-action").centered(horizontally: true)

    /// Creates the screen.
    ///
    /// - Parameters:
    ///   - folder: The folder of the settings.
    ///   - start: Starts with the saved settings.
    init(savingIn folder: String, start: @escaping @MainActor () -> Void) {
        self.folder = folder
        self.start = start
        bar = ProblemBar()
        let header = HeaderBar(end: [.mainMenu()])
        header.title.set("AuthHub")
        let content = Box.vertical(
            spacing: 12, Group(service), Box.vertical(spacing: 6, advice, redirectURI, registration.centered(horizontally: true)),
            Group(clientID, secret), button)
        let page = StatusPage(icon: "preferences-system-symbolic", child: Clamp(content, width: 460))
        page.set("Set up a service", description: "Register an app at the service, then enter what it shows.")
        root = Box.vertical(header, bar.root, page.expanding(vertically: true))
        service.onChange { [weak self] in self?.render() }
        clientID.onChange { [weak self] in self?.render() }
        secret.onChange { [weak self] in self?.render() }
        button.onClick { [weak self] in self?.save() }
        render()
    }

    func appear(in window: Window) {
        window.setDefault(button)
        service.grabFocus()
    }
}

extension NewServiceScreen {
    private var chosen: NewService? { NewService.all.indices.contains(service.selected) ? NewService.all[service.selected] : nil }

    private var canSave: Bool {
        guard let chosen else { return false }
        return !clientID.trimmedText.isEmpty && (!chosen.hasSecret || !secret.trimmedText.isEmpty)
    }

    private func render() {
        guard let chosen else { return }
        redirectURI.text = chosen.redirectURI
        registration.setVisible(chosen.registrationPage != nil)
        if let page = chosen.registrationPage { registration.set(address: page) }
        secret.setVisible(chosen.hasSecret)
        button.setSensitive(canSave)
    }

    private func save() {
        guard let chosen, canSave else { return }
        do throws(AppProblem) {
            try chosen.save(
                clientID: clientID.trimmedText, secret: chosen.hasSecret ? Secret(secret.trimmedText) : nil, inFolder: folder)
            secret.clear()
            start()
        } catch {
            bar.show(error)
        }
    }
}

extension Entry {
    /// The text without the spaces that copying may have added.
    fileprivate var trimmedText: String {
        var text = text[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
