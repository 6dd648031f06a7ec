public import Foundation
@_exported public import UserActivity

// Declared as in Apple's AppKit, as far as the app uses it. It has no behaviour.

@MainActor
open class NSWindow: NSObject {
    open var isVisible: Bool { false }
}

@MainActor
public protocol NSApplicationDelegate: NSObjectProtocol {
    func application(_ application: NSApplication, open urls: [URL])
    func application(
        _ application: NSApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
    ) -> Bool
}

extension NSApplicationDelegate {
    public func application(_ application: NSApplication, open urls: [URL]) {}

    public func application(
        _ application: NSApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
    ) -> Bool { false }
}

public protocol NSUserActivityRestoring {}

@MainActor
open class NSApplication: NSObject {
    public static let shared = NSApplication()

    public enum ActivationPolicy: Int, Sendable { case regular, accessory, prohibited }
    public enum TerminateReply: UInt, Sendable { case terminateCancel, terminateNow, terminateLater }

    open var keyWindow: NSWindow? { nil }
    open var mainWindow: NSWindow? { nil }
    open var windows: [NSWindow] { [] }

    @discardableResult
    open func setActivationPolicy(_ activationPolicy: ActivationPolicy) -> Bool { false }

    open func activate() {}

    open func reply(toApplicationShouldTerminate shouldTerminate: Bool) {}
}

open class NSWorkspace: NSObject {
    nonisolated(unsafe) public static let shared = NSWorkspace()  // Apple's is imported so

    open func open(_ url: URL) -> Bool { false }
}
