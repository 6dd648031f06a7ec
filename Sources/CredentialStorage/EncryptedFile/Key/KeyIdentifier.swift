/// Names a key, and tells nothing of it to those who cannot guess the key itself: eight bytes that are derived from it.
struct KeyIdentifier: Sendable, Hashable {
    static let length = 8

    let bytes: [UInt8]
}

extension KeyIdentifier: CustomStringConvertible {
    var description: String { bytes.hexadecimal }
}
