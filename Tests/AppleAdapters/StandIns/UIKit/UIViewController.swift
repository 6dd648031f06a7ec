public import Foundation

// Declared as in Apple's UIKit, as far as the code in the guides uses it.

@MainActor
open class UIView: NSObject {
    /// Writable, unlike Apple's property.
    open weak var window: UIWindow?
}

@MainActor
open class UIViewController: NSObject {
    open var view: UIView! = UIView()
}
