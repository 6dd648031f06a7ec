import AppKit
import AuthHub
import Foundation

// snippet: apple-finish-appkit
final class AppDelegate: NSObject, NSApplicationDelegate {
    var session: OAuthSession?

    /// A callback with a custom scheme.
    func application(_ application: NSApplication, open urls: [URL]) {
        session?.finishSignIns(with: urls)
    }

    /// A callback with a universal link.
    func application(
        _ application: NSApplication, continue activity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
    ) -> Bool {
        session?.finishSignIns(with: [activity.webpageURL].compactMap(\.self))
        return true
    }
}
// end

extension AppDelegate {
    /// Delivers a callback in the way the system does.
    func receive(_ callback: URL, _ way: CallbackWay) {
        guard way == .link else { return application(.shared, open: [callback]) }
        let activity = NSUserActivity(activityType: "NSUserActivityTypeBrowsingWeb")
        activity.webpageURL = callback
        _ = application(.shared, continue: activity) { _ in }
    }
}
