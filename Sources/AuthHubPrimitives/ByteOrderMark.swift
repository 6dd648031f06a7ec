extension Collection<UInt8> {
    /// The bytes without a byte order mark of UTF-8 at their beginning, which several systems write before text (RFC 8259 §8.1: readers may
    /// ignore it).
    package var withoutByteOrderMark: SubSequence { starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...] }
}
