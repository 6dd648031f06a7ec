#if canImport(UIKit) && !os(macOS)
import Foundation
import UIKit

/// The app as the system sees it.
@MainActor
enum ForegroundApp {
    /// What has to be done before the system may end the app.
    static var finish: () async -> Void = {}

    /// The window that the person looks at.
    static var window: UIWindow? {
        UIApplication.shared.connectedScenes.lazy.compactMap { $0 as? UIWindowScene }
            .first { $0.activationState == .foregroundActive }?.keyWindow
    }

    /// Opens a page in the person's browser.
    static func open(_ page: URL) async -> Bool {
        await UIApplication.shared.open(page)
    }

    /// Asks the system for the time that finishing takes.
    static func goToBackground() {
        let task = BackgroundTask()
        Task {
            await finish()
            task.end()
        }
    }
}

/// Time in the background, until it is given back or the system takes it.
@MainActor
private final class BackgroundTask {
    private var identifier = UIBackgroundTaskIdentifier.invalid

    init() {
        identifier = UIApplication.shared.beginBackgroundTask(withName: "finish") { self.end() }
    }

    func end() {
        guard identifier != .invalid else { return }
        UIApplication.shared.endBackgroundTask(identifier)
        identifier = .invalid
    }
}
#endif
