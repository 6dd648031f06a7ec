/// A QR code (ISO/IEC 18004) for a string of bytes: dark and light squares, without the quiet zone around them.
///
/// Byte mode, versions 1 to 15 (520 bytes), error correction L, or M if that does not make the code larger.
struct QRCode: Sendable, Hashable {
    /// The number of squares per side.
    let size: Int
    let version: Int
    let level: Level
    let mask: Int
    /// The squares row by row; true is dark.
    private let squares: [Bool]

    /// The proportion of a code that may be dirty or hidden.
    enum Level: Int, Sendable, Hashable {
        /// 15 percent.
        case medium = 0
        /// 7 percent.
        case low = 1
    }

    /// Creates a code.
    ///
    /// - Returns: nil if the text is too long.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let version = QRVersion.all.first(where: { $0.capacity(.low) >= bytes.count }) else { return nil }
        let level: Level = version.capacity(.medium) >= bytes.count ? .medium : .low
        let plain = QRMatrix(version, codewords: version.codewords(for: bytes, level))
        let masked = (0..<8).map { plain.masked(by: $0, level) }
        let penalties = masked.map(\.penalty)
        guard let least = penalties.min(), let mask = penalties.firstIndex(of: least) else { return nil }
        self.mask = mask
        self.version = version.number
        self.level = level
        size = version.size
        squares = masked[mask].squares
    }

    /// Returns whether a square is dark; everything around the code is light.
    func isDark(_ row: Int, _ column: Int) -> Bool {
        (0..<size).contains(row) && (0..<size).contains(column) && squares[row * size + column]
    }
}
