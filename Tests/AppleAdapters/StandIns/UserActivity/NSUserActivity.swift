public import Foundation

// Declared as in Apple's Foundation, as far as the code in the guides uses it. Foundation on Linux lacks it.

open class NSUserActivity: NSObject {
    public let activityType: String
    open var webpageURL: URL?

    public init(activityType: String) {
        self.activityType = activityType
    }
}
