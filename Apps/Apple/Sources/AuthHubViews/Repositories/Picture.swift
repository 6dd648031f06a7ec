#if canImport(SwiftUI)
import CoreGraphics
import Foundation
import ImageIO

/// Pictures that strangers send.
enum Picture {
    /// Draws no more of it than is shown, so that a small file cannot stand for an image that fills the memory.
    ///
    /// - Returns: nil for what is no picture.
    static func drawing(of bytes: [UInt8]) -> CGImage? {
        guard let source = CGImageSourceCreateWithData(Data(bytes) as CFData, nil) else { return nil }
        let options: [CFString: Any] = [
            kCGImageSourceCreateThumbnailFromImageAlways: true,
            kCGImageSourceCreateThumbnailWithTransform: true,
            kCGImageSourceThumbnailMaxPixelSize: largestSide,
        ]
        return CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary)
    }

    /// Of 28 points on a screen with three pixels to the point, and some to spare.
    private static let largestSide = 96
}
#endif
