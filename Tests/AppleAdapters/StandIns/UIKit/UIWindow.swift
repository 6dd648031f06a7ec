public import Foundation

// Declared as in Apple's UIKit, as far as the adapters use it.

@MainActor
open class UIScene: NSObject {
    public enum ActivationState: Int, Sendable {
        case unattached = -1
        case foregroundActive
        case foregroundInactive
        case background
    }

    /// Writable, unlike Apple's property.
    open var activationState = ActivationState.unattached
}

@MainActor
open class UIWindowScene: UIScene {
    /// Writable, unlike Apple's property.
    open weak var keyWindow: UIWindow?
}

@MainActor
open class UIWindow: NSObject {
    open weak var windowScene: UIWindowScene?
}
