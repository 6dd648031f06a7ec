#if canImport(UIKit) && !os(macOS)
import Foundation
import UIKit

/// The app as the system sees it.
@MainActor
enum ForegroundApp {
    /// The work that must be finished before the system may end the app.
    static var finish: () async -> Void = {}

    /// The window that the user is looking at.
    static var window: UIWindow? {
        UIApplication.shared.connectedScenes.lazy.compactMap { $0 as? UIWindowScene }
            .first { $0.activationState == .foregroundActive }?.keyWindow
    }

    /// Opens a page in the user's browser.
    static func open(_ page: URL) async -> Bool {
        await UIApplication.shared.open(page)
    }

    /// Asks the system for the time to finish the work.
    static func goToBackground() {
        let task = BackgroundTask()
        Task {
            await finish()
            task.end()
        }
    }
}

/// A background task, until the app ends it or the system expires it.
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
