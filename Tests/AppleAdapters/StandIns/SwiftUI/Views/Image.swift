public import CoreGraphics
public import Foundation

public struct Image: Primitive {
    private let name: String

    public init(systemName: String) {
        name = systemName
    }

    public init(decorative cgImage: CGImage, scale: CGFloat) {
        name = "\(cgImage.width) × \(cgImage.height)"
    }

    public func resizable() -> Image { self }

    /// The text of the node is the name of the symbol, or the size of the picture.
    public func nodes(in place: Place) -> [Node] { [Node(.image, name)] }
}
