import AuthenticationServices
import UIKit

/// `UIScene.ActivationState`, for tests: a file that imports Testing must not import UIKit, because an overlay of both would be required.
enum SceneState: Sendable {
    case unattached
    case foregroundActive
    case foregroundInactive
    case background

    fileprivate var activationState: UIScene.ActivationState {
        switch self {
        case .unattached: .unattached
        case .foregroundActive: .foregroundActive
        case .foregroundInactive: .foregroundInactive
        case .background: .background
        }
    }
}

/// A window of the app in a separate scene.
@MainActor
final class AppWindow {
    let window = UIWindow()
    private let scene: UIWindowScene?

    /// - Parameter state: Nil for a window without a scene.
    init(_ state: SceneState?) {
        scene = state.map { state in
            let scene = UIWindowScene()
            scene.activationState = state.activationState
            return scene
        }
        window.windowScene = scene
    }
}
