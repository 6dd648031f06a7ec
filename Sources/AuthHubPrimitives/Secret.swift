/// A value that must never be shown: a token, an authorization code, a verifier, a client secret.
///
/// The description is `<redacted>`, also in debug output, string interpolation and mirrors. A secret is not `Codable`: to encode the value,
/// you have to call ``reveal()``.
public struct Secret<Value: Sendable>: Sendable {
    private let value: Value

    /// Creates a secret from a value. Only ``reveal()`` returns this value.
    public init(_ value: Value) {
        self.value = value
    }

    /// Returns the value. Check every call in code reviews: the revealed value must not reach output, logs or errors.
    public func reveal() -> Value {
        value
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "<redacted>" }
    public var debugDescription: String { "<redacted>" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Secret: Equatable where Value == String {
    /// Compares the values byte by byte, in constant time. Canonically equivalent strings with different bytes are different.
    public static func == (left: Self, right: Self) -> Bool {
        constantTimeEqual(left.value.utf8, right.value.utf8)
    }
}

extension Secret: Hashable where Value == String {
    public func hash(into hasher: inout Hasher) {
        for byte in value.utf8 { hasher.combine(byte) }
    }
}

/// Returns whether two byte sequences are equal, in a time that depends only on their lengths.
package func constantTimeEqual(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    var difference: UInt8 = 0
    for (leftByte, rightByte) in zip(left, right) { difference |= leftByte ^ rightByte }
    return difference == 0
}

/// Returns whether two arrays are equal, in a time that depends only on their lengths. The generic function is not specialized in other
/// modules, where its iterators would take most of the time.
package func constantTimeEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    var difference: UInt8 = 0
    for index in left.indices { difference |= left[index] ^ right[index] }
    return difference == 0
}
