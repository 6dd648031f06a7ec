public import Foundation

// Declared as in Apple's UIKit, as far as the app uses it.

public struct UIBackgroundTaskIdentifier: Hashable, RawRepresentable, Sendable {
    public static let invalid = Self(rawValue: 0)

    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }
}

@MainActor
open class UIApplication: NSObject {
    public static let shared = UIApplication()

    /// Writable, unlike Apple's property.
    open var connectedScenes: Set<UIScene> = []
    /// The pages that the app opened in the browser, each one once.
    public let pages: AsyncStream<URL>
    private let page: AsyncStream<URL>.Continuation
    /// The background tasks that have not ended.
    public private(set) var backgroundTasks: Set<UIBackgroundTaskIdentifier> = []
    private var backgroundTaskCount = 0

    override public init() {
        (pages, page) = AsyncStream.makeStream()
    }

    public struct OpenExternalURLOptionsKey: Hashable, RawRepresentable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    open func open(_ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:]) async -> Bool {
        page.yield(url)
        return true
    }

    open func beginBackgroundTask(
        withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        backgroundTaskCount += 1
        let identifier = UIBackgroundTaskIdentifier(rawValue: backgroundTaskCount)
        backgroundTasks.insert(identifier)
        return identifier
    }

    open func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
        backgroundTasks.remove(identifier)
    }
}
