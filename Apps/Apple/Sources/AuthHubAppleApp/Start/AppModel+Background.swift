#if canImport(SwiftUI)
import AuthHubApp

extension AppModel {
    /// Asks the system for the time to finish the work. While the app waits for the user, nothing is finished, and the page stays open: the
    /// user may have switched to the browser, or to a password manager.
    func goToBackground() {
        if !signIn.canCancel { ForegroundApp.goToBackground() }
    }
}
#endif
