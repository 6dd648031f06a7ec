/// The size of a code and its error correction (ISO/IEC 18004, tables 1, 7 and 9).
struct QRVersion: Sendable, Hashable {
    let number: Int

    static let all = (1...15).map { QRVersion(number: $0) }

    var size: Int { 17 + 4 * number }

    /// The positions of the alignment patterns, in both directions.
    var alignmentCentres: [Int] {
        guard number > 1 else { return [] }
        let count = number / 7 + 2
        let last = size - 7
        let step = (number * 4 + count * 2 + 1) / (count * 2 - 2) * 2
        return [6] + (0..<count - 1).map { last - $0 * step }.reversed()
    }

    /// The number of squares for data and error correction.
    private var freeSquares: Int {
        var free = (16 * number + 128) * number + 64
        if number > 1 {
            let count = number / 7 + 2
            free -= (25 * count - 10) * count - 55
            if number > 6 { free -= 36 }
        }
        return free
    }

    var codewordCount: Int { freeSquares / 8 }

    /// Returns the number of error correction codewords of each block, and the number of blocks.
    private func correction(_ level: QRCode.Level) -> (codewords: Int, blocks: Int) {
        let row =
            switch level {
            case .low:
                [
                    (7, 1), (10, 1), (15, 1), (20, 1), (26, 1), (18, 2), (20, 2), (24, 2), (30, 2), (18, 4), (20, 4), (24, 4), (26, 4),
                    (30, 4), (22, 6),
                ]
            case .medium:
                [
                    (10, 1), (16, 1), (26, 1), (18, 2), (24, 2), (16, 4), (18, 4), (22, 4), (22, 5), (26, 5), (30, 5), (22, 8), (22, 9),
                    (24, 9), (24, 10),
                ]
            }
        return row[number - 1]
    }

    private func dataCodewords(_ level: QRCode.Level) -> Int {
        let (codewords, blocks) = correction(level)
        return codewordCount - codewords * blocks
    }

    /// Returns the capacity in bytes, without the mode and the length.
    func capacity(_ level: QRCode.Level) -> Int {
        dataCodewords(level) - (number < 10 ? 2 : 3)
    }

    /// Returns the data and error correction codewords in drawing order.
    func codewords(for bytes: [UInt8], _ level: QRCode.Level) -> [UInt8] {
        var bits = QRBits()
        bits.append(0b0100, count: 4)
        bits.append(bytes.count, count: number < 10 ? 8 : 16)
        for byte in bytes { bits.append(Int(byte), count: 8) }
        return interleaved(bits.filled(to: dataCodewords(level)), level)
    }

    /// Returns the interleaved blocks: the first codeword of each, then the second, so that damage in one place affects each block only a
    /// little.
    private func interleaved(_ data: [UInt8], _ level: QRCode.Level) -> [UInt8] {
        let (correctionCount, blockCount) = correction(level)
        let shortLength = data.count / blockCount
        let longBlocks = data.count % blockCount
        let correction = ReedSolomon(degree: correctionCount)
        var blocks: [ArraySlice<UInt8>] = []
        var rest = data[...]
        for index in 0..<blockCount {
            let length = shortLength + (index >= blockCount - longBlocks ? 1 : 0)
            blocks.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        let corrections = blocks.map { correction.remainder(of: $0) }
        var codewords: [UInt8] = []
        for place in 0...shortLength {
            for block in blocks where place < block.count { codewords.append(block[block.startIndex + place]) }
        }
        for place in 0..<correctionCount {
            for remainder in corrections { codewords.append(remainder[place]) }
        }
        return codewords
    }
}

/// A sequence of bits.
private struct QRBits {
    private var bits: [Bool] = []

    mutating func append(_ value: Int, count: Int) {
        for place in (0..<count).reversed() { bits.append(value >> place & 1 == 1) }
    }

    /// Returns the bits as bytes, with the terminator and the padding of the standard (§7.4.9, §7.4.10).
    func filled(to count: Int) -> [UInt8] {
        var padded = bits + [Bool](repeating: false, count: min(4, count * 8 - bits.count))
        while padded.count % 8 != 0 { padded.append(false) }
        var bytes = stride(from: 0, to: padded.count, by: 8).map { start in
            padded[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
        var filling: UInt8 = 0xEC
        while bytes.count < count {
            bytes.append(filling)
            filling ^= 0xEC ^ 0x11
        }
        return bytes
    }
}
