// The condition APPKIT_ON_LINUX is for Tests/AppleAdapters, which compiles this file over a stand-in for AppKit, and for nothing else.
#if os(macOS) || APPKIT_ON_LINUX
import AppKit
import Foundation

/// The app as the system sees it.
@MainActor
enum ForegroundApp {
    /// What has to be done before the app may end.
    static var finish: () async -> Void = {}

    /// The window that the person looks at.
    static var window: NSWindow? {
        let application = NSApplication.shared
        return application.keyWindow ?? application.mainWindow ?? application.windows.first { $0.isVisible }
    }

    /// Opens a page in the person's browser.
    static func open(_ page: URL) async -> Bool {
        NSWorkspace.shared.open(page)
    }

    /// Nothing is due: the system does not end apps in the background without asking them.
    static func goToBackground() {}
}

final class AppDelegate: NSObject, NSApplicationDelegate {
    /// A program without a bundle, as Xcode makes it of the package, has no menu bar and no place in the Dock unless it asks.
    func applicationDidFinishLaunching(_ notification: Notification) {
        guard Bundle.main.bundleIdentifier == nil else { return }
        NSApplication.shared.setActivationPolicy(.regular)
        NSApplication.shared.activate()
    }

    func applicationShouldTerminateAfterLastWindowClosed(_ sender: NSApplication) -> Bool {
        true
    }

    /// A token that is being renewed would be lost.
    func applicationShouldTerminate(_ sender: NSApplication) -> NSApplication.TerminateReply {
        Task {
            await ForegroundApp.finish()
            sender.reply(toApplicationShouldTerminate: true)
        }
        return .terminateLater
    }
}
#endif
