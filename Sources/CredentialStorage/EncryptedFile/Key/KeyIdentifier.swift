/// An identifier of a key: eight bytes derived from it, which reveal nothing to anyone who cannot guess the key itself.
struct KeyIdentifier: Sendable, Hashable {
    static let length = 8

    let bytes: [UInt8]
}

extension KeyIdentifier: CustomStringConvertible {
    var description: String { bytes.hexadecimal }
}
