// The condition APPKIT_ON_LINUX is only for Tests/AppleAdapters, which compiles this file with a stub of AppKit.
#if os(macOS) || APPKIT_ON_LINUX
import AppKit
import Foundation

/// The app as the system sees it.
@MainActor
enum ForegroundApp {
    /// The work that must be finished before the app may quit.
    static var finish: () async -> Void = {}

    /// The window that the user is looking at.
    static var window: NSWindow? {
        let application = NSApplication.shared
        return application.keyWindow ?? application.mainWindow ?? application.windows.first { $0.isVisible }
    }

    /// Opens a page in the user's browser.
    static func open(_ page: URL) async -> Bool {
        NSWorkspace.shared.open(page)
    }

    /// Does nothing: the system does not end background apps without asking them.
    static func goToBackground() {}
}

final class AppDelegate: NSObject, NSApplicationDelegate {
    /// Activates the app. A program without a bundle, such as Xcode's build of the package, has no menu bar and no Dock icon by default.
    func applicationDidFinishLaunching(_ notification: Notification) {
        guard Bundle.main.bundleIdentifier == nil else { return }
        NSApplication.shared.setActivationPolicy(.regular)
        NSApplication.shared.activate()
    }

    func applicationShouldTerminateAfterLastWindowClosed(_ sender: NSApplication) -> Bool {
        true
    }

    /// Delays termination, which would lose a token that is being refreshed.
    func applicationShouldTerminate(_ sender: NSApplication) -> NSApplication.TerminateReply {
        Task {
            await ForegroundApp.finish()
            sender.reply(toApplicationShouldTerminate: true)
        }
        return .terminateLater
    }
}
#endif
