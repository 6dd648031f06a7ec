/// The name of a member, with a digest that tells most names apart without reading them.
struct MemberName: Sendable {
    let text: String
    private let digest: UInt64

    init(_ text: String) {
        self.text = text
        digest = text.utf8.withContiguousStorageIfAvailable(Self.digest) ?? Array(text.utf8).withUnsafeBufferPointer(Self.digest)
    }

    init(ascii bytes: UnsafeBufferPointer<UInt8>) {
        text = String(ascii: bytes)
        digest = Self.digest(of: bytes)
    }

    /// Returns whether two names are equal byte by byte.
    func hasSameBytes(as other: Self) -> Bool {
        digest == other.digest && (digest >> 56 <= Self.wholeLength || text.hasSameBytes(as: other.text))
    }

    /// The length of the longest names that the digest contains in whole.
    private static let wholeLength: UInt64 = 7

    /// The length of a name, at most 255, in the highest byte; below, its bytes, or the first four and the last three.
    private static func digest(of name: UnsafeBufferPointer<UInt8>) -> UInt64 {
        let count = name.count
        let bytes = UnsafeRawBufferPointer(name)
        func word(at index: Int) -> UInt64 {
            UInt64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self)))
        }
        let length = UInt64(min(count, 255)) << 56
        switch count {
        case 0: return length
        case 1...3: return length | UInt64(name[0]) | UInt64(name[count / 2]) << 8 | UInt64(name[count - 1]) << 16
        // Where the words overlap, they have the same bytes.
        case 4...7: return length | word(at: 0) | word(at: count - 4) << UInt64(8 * (count - 4))
        default: return length | word(at: 0) | (word(at: count - 4) >> 8) << 32
        }
    }
}

extension MemberName: Hashable {
    static func == (left: Self, right: Self) -> Bool { left.hasSameBytes(as: right) }

    /// Hashes all bytes: a sender can choose names with the same digest.
    func hash(into hasher: inout Hasher) {
        if text.utf8.withContiguousStorageIfAvailable({ hasher.combine(bytes: UnsafeRawBufferPointer($0)) }) == nil {
            hasher.combine(Array(text.utf8))
        }
    }
}
