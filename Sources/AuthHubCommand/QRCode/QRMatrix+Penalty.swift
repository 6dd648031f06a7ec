extension QRMatrix {
    /// A measure of how hard the code is to read, by the four rules of ISO/IEC 18004 §7.8.3.
    var penalty: Int {
        let size = squares.count.squareRoot
        var penalty = 0
        for line in 0..<size {
            penalty += Self.linePenalty((0..<size).map { self[line, $0] })
            penalty += Self.linePenalty((0..<size).map { self[$0, line] })
        }
        for row in 0..<size - 1 {
            for column in 0..<size - 1 {
                let corner = self[row, column]
                if corner == self[row, column + 1], corner == self[row + 1, column], corner == self[row + 1, column + 1] { penalty += 3 }
            }
        }
        let dark = squares.count { $0 }
        return penalty + abs(dark * 20 - squares.count * 10) / squares.count * 10
    }

    /// Returns the penalty for five or more equal squares in a row, and for patterns like that of a corner.
    private static func linePenalty(_ line: [Bool]) -> Int {
        var penalty = 0
        var run = 1
        for place in 1...line.count {
            if place < line.count, line[place] == line[place - 1] {
                run += 1
                continue
            }
            if run >= 5 { penalty += run - 2 }
            run = 1
        }
        let quiet = [Bool](repeating: false, count: 4)
        let padded = quiet + line + quiet
        let finder = [true, false, true, true, true, false, true]
        for start in 0...(padded.count - 11) {
            let window = padded[start..<start + 11]
            if window.starts(with: finder + quiet) { penalty += 40 }
            if window.starts(with: quiet + finder) { penalty += 40 }
        }
        return penalty
    }
}

extension Int {
    /// The square root of a square number.
    fileprivate var squareRoot: Int {
        var root = 0
        while root * root < self { root += 1 }
        return root
    }
}
