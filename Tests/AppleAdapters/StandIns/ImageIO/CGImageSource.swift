public import CoreGraphics
public import Foundation

// Declared as in Apple's ImageIO, as far as the app uses it. Reads only the size from a PNG file.

public typealias CFData = Data
public typealias CFString = String
public typealias CFDictionary = [String: Any]

public let kCGImageSourceCreateThumbnailFromImageAlways = "kCGImageSourceCreateThumbnailFromImageAlways"
public let kCGImageSourceCreateThumbnailWithTransform = "kCGImageSourceCreateThumbnailWithTransform"
public let kCGImageSourceThumbnailMaxPixelSize = "kCGImageSourceThumbnailMaxPixelSize"

public final class CGImageSource {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }
}

/// Like Apple's function, accepts any bytes.
public func CGImageSourceCreateWithData(_ data: CFData, _ options: CFDictionary?) -> CGImageSource? {
    CGImageSource(Array(data))
}

public func CGImageSourceCreateThumbnailAtIndex(_ source: CGImageSource, _ index: Int, _ options: CFDictionary?) -> CGImage? {
    guard source.bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), source.bytes.count >= 24, index == 0 else {
        return nil
    }
    func number(at offset: Int) -> Int { source.bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
    let (width, height) = (number(at: 16), number(at: 20))
    guard let side = options?[kCGImageSourceThumbnailMaxPixelSize] as? Int, max(width, height) > side else {
        return CGImage(width: width, height: height)
    }
    return CGImage(width: width * side / max(width, height), height: height * side / max(width, height))
}
