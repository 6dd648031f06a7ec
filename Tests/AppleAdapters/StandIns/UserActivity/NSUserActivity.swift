public import Foundation

// Declared as in Apple's Foundation, as far as the code in the guides uses it. The one on Linux has none.

open class NSUserActivity: NSObject {
    public let activityType: String
    open var webpageURL: URL?

    public init(activityType: String) {
        self.activityType = activityType
    }
}
