extension UnsafeBufferPointer<UInt8> {
    /// Returns the index of the first byte, at an index or behind it, that is not ASCII or has a meaning in a JSON string: a quotation mark,
    /// a backslash or a control character. Returns the count if there is none.
    func endOfPlainText(from start: Int) -> Int {
        var index = start
        let raw = UnsafeRawBufferPointer(self)
        while index &+ 8 <= count {
            let ends = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)).endsOfPlainText
            guard ends == 0 else { return index &+ ends.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < count, UInt64(self[index]).endsOfPlainText & 0x80 == 0 { index &+= 1 }
        return index
    }
}

extension UInt64 {
    /// Eight bytes at a time: the lowest bit that is set is in the first byte that ends plain text.
    fileprivate var endsOfPlainText: UInt64 {
        let quotationMarks = self ^ (Self.each &* UInt64(UInt8(ascii: "\"")))
        let backslashes = self ^ (Self.each &* UInt64(UInt8(ascii: "\\")))
        // The highest bit of each byte that is less than the subtrahend. A borrow only affects bytes behind such a byte.
        let less =
            ((quotationMarks &- Self.each) & ~quotationMarks) | ((backslashes &- Self.each) & ~backslashes)
            | ((self &- Self.each &* 0x20) & ~self)
        return (less | self) & (Self.each &* 0x80)
    }

    private static var each: UInt64 { 0x0101_0101_0101_0101 }
}
