// Declared as in Apple's CoreGraphics, as far as the app uses it.

public final class CGImage: Sendable {
    public let width: Int
    public let height: Int

    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}
