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
    func signOut()
}

extension Screen {
    var isOfPerson: Bool { false }
    func refresh() {}
    func signOut() {}
}

extension Widget {
    static func mainMenu(isSignedIn: Bool) -> Widget {
        MenuButton(
            icon: "open-menu-symbolic", accessibleName: "Main Menu",
            items: (isSignedIn ? [("Sign Out", "app.sign-out")] : []) + [("About AuthHub", "app.about"), ("Quit", "app.quit")])
    }
}
