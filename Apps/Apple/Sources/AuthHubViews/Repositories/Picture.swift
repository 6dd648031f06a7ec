#if canImport(SwiftUI)
import CoreGraphics
import Foundation
import ImageIO

/// Pictures from untrusted sources.
enum Picture {
    /// Decodes the picture at the displayed size only, so that a small file cannot expand to an image that fills the memory.
    ///
    /// - Returns: nil if the bytes are not a picture.
    static func drawing(of bytes: [UInt8]) -> CGImage? {
        guard let source = CGImageSourceCreateWithData(Data(bytes) as CFData, nil) else { return nil }
        let options: [CFString: Any] = [
            kCGImageSourceCreateThumbnailFromImageAlways: true,
            kCGImageSourceCreateThumbnailWithTransform: true,
            kCGImageSourceThumbnailMaxPixelSize: largestSide,
        ]
        return CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary)
    }

    /// 28 points on a screen with three pixels per point, and some margin.
    private static let largestSide = 96
}
#endif
