import GTKWidgets

/// What fills the window.
@MainActor
protocol Screen: AnyObject {
    var root: Widget { get }
    /// Whether somebody is signed in, whose things it shows.
    var isOfPerson: Bool { get }
    /// Called each time it becomes what the window shows.
    func appear(in window: Window)
    func refresh()
    func signOut(atProvider: Bool)
}

extension Screen {
    var isOfPerson: Bool { false }
    func refresh() {}
    func signOut(atProvider: Bool) {}
}

extension Widget {
    /// - Parameters:
    ///   - signOut: What signing out here is called; nil if no one is signed in.
    ///   - providerSignOut: What signing out at the service, too, is called; nil if that is not offered.
    static func mainMenu(signOut: String? = nil, providerSignOut: String? = nil) -> Widget {
        let signOuts = [signOut.map { ($0, "app.sign-out") }, providerSignOut.map { ($0, "app.sign-out-at-provider") }]
        return MenuButton(
            icon: "open-menu-symbolic", accessibleName: "Main Menu",
            items: signOuts.compactMap(\.self) + [("About AuthHub", "app.about"), ("Quit", "app.quit")])
    }
}
