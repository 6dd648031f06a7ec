import AuthHub
import Foundation
import UIKit

// snippet: apple-finish-uikit
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var session: OAuthSession?

    /// The app was launched for the callback.
    func scene(_ scene: UIScene, willConnectTo _: UISceneSession, options: UIScene.ConnectionOptions) {
        session?.finishSignIns(with: options.urlContexts.map(\.url) + options.userActivities.compactMap(\.webpageURL))
    }

    /// A callback with a custom scheme.
    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        session?.finishSignIns(with: contexts.map(\.url))
    }

    /// A callback with a universal link.
    func scene(_ scene: UIScene, continue activity: NSUserActivity) {
        session?.finishSignIns(with: [activity.webpageURL].compactMap(\.self))
    }
}
// end

extension SceneDelegate {
    /// Delivers a callback in the way the system does.
    func receive(_ callback: URL, _ way: CallbackWay) {
        let activity = NSUserActivity(activityType: "NSUserActivityTypeBrowsingWeb")
        activity.webpageURL = callback
        switch way {
        case .start:
            let options = UIScene.ConnectionOptions()
            options.userActivities = [activity]
            scene(UIScene(), willConnectTo: UISceneSession(), options: options)
        case .scheme: scene(UIScene(), openURLContexts: [UIOpenURLContext(url: callback)])
        case .link: scene(UIScene(), continue: activity)
        }
    }
}
