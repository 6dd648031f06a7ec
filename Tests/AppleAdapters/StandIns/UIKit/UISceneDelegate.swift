public import Foundation
@_exported public import UserActivity

// Declared as in Apple's UIKit, as far as the code in the guides uses it.

@MainActor
open class UIResponder: NSObject {}

@MainActor
open class UISceneSession: NSObject {}

@MainActor
open class UIOpenURLContext: NSObject {
    public let url: URL

    public init(url: URL) {
        self.url = url
    }
}

extension UIScene {
    @MainActor
    open class ConnectionOptions: NSObject {
        /// Writable, unlike Apple's property.
        open var urlContexts: Set<UIOpenURLContext> = []
        open var userActivities: Set<NSUserActivity> = []
    }
}

@MainActor
public protocol UISceneDelegate: NSObjectProtocol {
    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions)
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>)
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity)
}

@MainActor
public protocol UIWindowSceneDelegate: UISceneDelegate {}
