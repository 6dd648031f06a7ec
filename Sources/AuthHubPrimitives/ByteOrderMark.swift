extension ArraySlice<UInt8> {
    /// The bytes without a byte order mark of UTF-8 at their beginning, which several systems write before text (RFC 8259 §8.1: readers may
    /// ignore it).
    package var withoutByteOrderMark: Self {
        guard count >= 3, self[startIndex] == 0xEF, self[startIndex + 1] == 0xBB, self[startIndex + 2] == 0xBF else { return self }
        return dropFirst(3)
    }
}

extension [UInt8] {
    /// The bytes without a byte order mark at their beginning.
    package var withoutByteOrderMark: ArraySlice<UInt8> { self[...].withoutByteOrderMark }
}
