/// The header of a picture, which is checked before anything decodes the picture: a small file can require a lot of memory, or hours of
/// work.
struct PictureHeader: Sendable, Hashable {
    /// The formats that both windows can show, and that can be checked here.
    enum Kind: Sendable, Hashable {
        case png, jpeg
    }

    let kind: Kind
    /// The width in points, according to the file.
    let width: Int
    let height: Int

    /// The maximum width and height, which exceed those of any user's picture.
    private static let longestSide = 2048
    /// The maximum number of scans, more than any progressive JPEG needs. Each scan decodes the whole picture again.
    private static let mostScans = 32

    /// Reads the header; returns nil if the bytes are not a PNG or JPEG, whatever media type the server declares, or if the picture is
    /// too large.
    init?(_ bytes: [UInt8]) {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            // The first chunk is the header: its length, its name, width and height (PNG, third edition, §11.2.1).
            guard bytes.count >= 24, bytes[12..<16].elementsEqual("IHDR".utf8) else { return nil }
            kind = .png
            (width, height) = (Self.number(bytes[16..<20]), Self.number(bytes[20..<24]))
        } else if bytes.starts(with: [0xFF, 0xD8]), let size = Self.sizeOfJPEG(bytes) {
            kind = .jpeg
            (width, height) = size
        } else {
            return nil
        }
        let sides = 1...Self.longestSide
        guard sides.contains(width), sides.contains(height) else { return nil }
    }

    /// Finds the frame header among the segments (ITU T.81, B.1.1.4 and B.2.2).
    private static func sizeOfJPEG(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
        let scans = zip(bytes, bytes.dropFirst()).count { $0 == 0xFF && $1 == 0xDA }
        guard scans <= mostScans else { return nil }
        var place = 2
        while place + 9 <= bytes.count, bytes[place] == 0xFF {
            let marker = bytes[place + 1]
            let isFrame = (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
            if isFrame { return (number(bytes[place + 7..<place + 9]), number(bytes[place + 5..<place + 7])) }
            let length = number(bytes[place + 2..<place + 4])
            // The scans start here, or this is not a segment.
            guard marker != 0xDA, length >= 2 else { return nil }
            place += 2 + length
        }
        return nil
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
