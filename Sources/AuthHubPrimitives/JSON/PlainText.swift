extension UnsafeBufferPointer<UInt8> {
    /// Returns the index of the first byte at or after an index that ends plain text: a quotation mark, a backslash, a control character, or
    /// a byte that is not ASCII. Returns the count if there is none.
    func endOfPlainText(from start: Int) -> Int {
        var index = start
        let raw = UnsafeRawBufferPointer(self)
        while index &+ 8 <= count {
            let mask = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)).plainTextEndMask
            guard mask == 0 else { return index &+ mask.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < count, UInt64(self[index]).plainTextEndMask & 0x80 == 0 { index &+= 1 }
        return index
    }
}

extension UInt64 {
    /// Zero if none of the eight bytes ends plain text, that is, if none is a quotation mark, a backslash, a control character or outside
    /// ASCII. Otherwise, the lowest set bit is in the first such byte, counted from the least significant one. Higher bits may be wrong.
    fileprivate var plainTextEndMask: UInt64 {
        let quotationMarks = self ^ (Self.ones &* UInt64(UInt8(ascii: "\"")))
        let backslashes = self ^ (Self.ones &* UInt64(UInt8(ascii: "\\")))
        // The highest bit of each byte that is less than its subtrahend. Bytes borrow only from higher ones, so the lowest bit is right.
        let less =
            ((quotationMarks &- Self.ones) & ~quotationMarks) | ((backslashes &- Self.ones) & ~backslashes)
            | ((self &- Self.ones &* 0x20) & ~self)
        return (less | self) & (Self.ones &* 0x80)
    }

    /// The number 1 in each byte.
    private static var ones: UInt64 { 0x0101_0101_0101_0101 }
}
