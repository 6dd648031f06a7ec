extension QRCode {
    /// The width of the light border around the code, without which many cameras do not find it (ISO/IEC 18004 §6.3.8).
    static let quietZone = 4

    /// The number of columns of the picture.
    var columns: Int { size + 2 * Self.quietZone }

    /// The number of lines of the picture: two rows of squares share one.
    var lines: Int { (size + 2 * Self.quietZone + 1) / 2 }

    /// Returns the picture for a terminal, with two squares above one another in each character.
    ///
    /// - Parameter isColored: Whether to draw true black on true white, whatever the terminal's colors. Otherwise, light squares are drawn
    ///   in the text color: correct if text is light on dark, and inverted otherwise, which not every camera can read.
    func picture(isColored: Bool) -> String {
        let places = -Self.quietZone..<size + Self.quietZone
        let rows = stride(from: places.lowerBound, to: places.upperBound, by: 2).map { row in
            let line = places.map { column in
                let upper = isDark(row, column)
                let lower = isDark(row + 1, column)
                return isColored ? Self.block(upper, lower) : Self.block(!upper, !lower && row + 1 < places.upperBound)
            }.joined()
            return isColored ? "\u{1B}[\(Style.blackOnWhite)m\(line)\u{1B}[0m" : line
        }
        return rows.joined(separator: "\n")
    }

    private static func block(_ upper: Bool, _ lower: Bool) -> String {
        switch (upper, lower) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
    }
}
