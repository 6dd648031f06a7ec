import GTKWidgets

/// The content of the window.
@MainActor
protocol Screen: AnyObject {
    var root: Widget { get }
    /// Whether it shows the content of a signed-in user.
    var isOfPerson: Bool { get }
    /// Prepares the screen. Called each time the window shows it.
    func appear(in window: Window)
    func refresh()
    /// Moves the focus to the field that filters the content.
    func filter()
    func signOut(atProvider: Bool)
}

extension Screen {
    var isOfPerson: Bool { false }
    func refresh() {}
    func filter() {}
    func signOut(atProvider: Bool) {}
}

extension Widget {
    typealias MenuItem = (label: String, action: String)

    /// Creates the menu.
    ///
    /// - Parameters:
    ///   - accounts: The labels and actions for switching to other accounts.
    ///   - signOut: The label for signing out here; nil if no one is signed in.
    ///   - providerSignOut: The label for also signing out at the service; nil if that is not offered.
    static func mainMenu(accounts: [MenuItem] = [], signOut: String? = nil, providerSignOut: String? = nil) -> Widget {
        let signOuts = [signOut.map { ($0, "app.sign-out") }, providerSignOut.map { ($0, "app.sign-out-at-provider") }]
        return MenuButton(
            icon: "open-menu-symbolic", accessibleName: "Main Menu",
            items: accounts + signOuts.compactMap(\.self) + [("About AuthHub", "app.about"), ("Quit", "app.quit")])
    }
}
