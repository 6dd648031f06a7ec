/// The squares of a code while it is being drawn.
struct QRMatrix: Sendable {
    private let version: QRVersion
    private let size: Int
    private(set) var squares: [Bool]
    /// The squares without data, which masks do not change.
    private var isFixed: [Bool]

    /// Creates a code without a mask and format information.
    init(_ version: QRVersion, codewords: [UInt8]) {
        self.version = version
        size = version.size
        squares = Array(repeating: false, count: size * size)
        isFixed = squares
        drawPatterns()
        drawData(codewords)
    }

    subscript(row: Int, column: Int) -> Bool { squares[row * size + column] }

    /// Returns the finished code with one of the eight masks (ISO/IEC 18004 §7.8.2).
    func masked(by mask: Int, _ level: QRCode.Level) -> QRMatrix {
        var matrix = self
        for row in 0..<size {
            for column in 0..<size where !isFixed[row * size + column] && Self.inverts(mask, row, column) {
                matrix.squares[row * size + column].toggle()
            }
        }
        matrix.drawFormat(mask, level)
        return matrix
    }

    private static func inverts(_ mask: Int, _ row: Int, _ column: Int) -> Bool {
        switch mask {
        case 0: (row + column) % 2 == 0
        case 1: row % 2 == 0
        case 2: column % 3 == 0
        case 3: (row + column) % 3 == 0
        case 4: (row / 2 + column / 3) % 2 == 0
        case 5: row * column % 2 + row * column % 3 == 0
        case 6: (row * column % 2 + row * column % 3) % 2 == 0
        default: ((row + column) % 2 + row * column % 3) % 2 == 0
        }
    }
}

// MARK: - Fixed patterns

extension QRMatrix {
    private mutating func fix(_ row: Int, _ column: Int, _ isDark: Bool) {
        squares[row * size + column] = isDark
        isFixed[row * size + column] = true
    }

    private mutating func drawPatterns() {
        for place in 0..<size {
            fix(6, place, place % 2 == 0)
            fix(place, 6, place % 2 == 0)
        }
        for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] { drawFinder(row, column) }
        let centres = version.alignmentCentres
        for row in centres {
            for column in centres where !isCorner(row, column) { drawAlignment(row, column) }
        }
        drawFormat(0, .low)
        drawVersion()
    }

    private func isCorner(_ row: Int, _ column: Int) -> Bool {
        (row == 6 && column == 6) || (row == 6 && column == size - 7) || (row == size - 7 && column == 6)
    }

    private mutating func drawFinder(_ row: Int, _ column: Int) {
        for down in -4...4 {
            for right in -4...4 where (0..<size).contains(row + down) && (0..<size).contains(column + right) {
                let distance = max(abs(down), abs(right))
                fix(row + down, column + right, distance != 2 && distance != 4)
            }
        }
    }

    private mutating func drawAlignment(_ row: Int, _ column: Int) {
        for down in -2...2 {
            for right in -2...2 { fix(row + down, column + right, max(abs(down), abs(right)) != 1) }
        }
    }

    /// Draws the level and mask, twice (§7.9).
    private mutating func drawFormat(_ mask: Int, _ level: QRCode.Level) {
        let data = level.rawValue << 3 | mask
        var remainder = data
        for _ in 0..<10 { remainder = remainder << 1 ^ (remainder >> 9) * 0x537 }
        let bits = (data << 10 | remainder) ^ 0x5412
        func bit(_ place: Int) -> Bool { bits >> place & 1 == 1 }
        for place in 0...5 { fix(place, 8, bit(place)) }
        fix(7, 8, bit(6))
        fix(8, 8, bit(7))
        fix(8, 7, bit(8))
        for place in 9..<15 { fix(8, 14 - place, bit(place)) }
        for place in 0..<8 { fix(8, size - 1 - place, bit(place)) }
        for place in 8..<15 { fix(size - 15 + place, 8, bit(place)) }
        fix(size - 8, 8, true)
    }

    /// Draws the version, for version 7 and higher (§7.10).
    private mutating func drawVersion() {
        guard version.number > 6 else { return }
        var remainder = version.number
        for _ in 0..<12 { remainder = remainder << 1 ^ (remainder >> 11) * 0x1F25 }
        let bits = version.number << 12 | remainder
        for place in 0..<18 {
            let isDark = bits >> place & 1 == 1
            fix(place / 3, size - 11 + place % 3, isDark)
            fix(size - 11 + place % 3, place / 3, isDark)
        }
    }

    /// Draws the data in pairs of columns from the right, upwards and downwards in turn (§7.7.3).
    private mutating func drawData(_ codewords: [UInt8]) {
        var next = 0
        var right = size - 1
        while right >= 1 {
            if right == 6 { right = 5 }
            let isUpwards = (right + 1) & 2 == 0
            for step in 0..<size {
                let row = isUpwards ? size - 1 - step : step
                for column in [right, right - 1] where !isFixed[row * size + column] && next < codewords.count * 8 {
                    squares[row * size + column] = codewords[next / 8] >> UInt8(7 - next % 8) & 1 == 1
                    next += 1
                }
            }
            right -= 2
        }
    }
}
