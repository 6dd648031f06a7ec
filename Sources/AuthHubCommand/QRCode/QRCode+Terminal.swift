extension QRCode {
    /// Light squares around the code, without which many cameras do not find it (ISO/IEC 18004 §6.3.8).
    static let quietZone = 4

    /// How many columns the picture takes.
    var columns: Int { size + 2 * Self.quietZone }

    /// How many lines the picture takes: two rows of squares share one.
    var lines: Int { (size + 2 * Self.quietZone + 1) / 2 }

    /// The picture for a terminal, two squares above one another in each character.
    ///
    /// - Parameter isColored: Draws true black on true white, whatever colours the terminal has. Without, light squares are drawn in the
    ///   colour of text: right where text is light on dark, and inverted elsewhere, which not every camera reads.
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
