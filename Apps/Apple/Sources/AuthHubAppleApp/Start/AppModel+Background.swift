#if canImport(SwiftUI)
import AuthHubApp

extension AppModel {
    /// Asks the system for the time that finishing takes. While the person is waited for, nothing is to be finished, and the page stays:
    /// they may have gone to their browser, or to fetch a password.
    func goToBackground() {
        if !signIn.canCancel { ForegroundApp.goToBackground() }
    }
}
#endif
