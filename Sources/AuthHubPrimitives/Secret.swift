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
        constantTimeEqual(left.value, right.value)
    }
}

extension Secret: Hashable where Value == String {
    public func hash(into hasher: inout Hasher) {
        for byte in value.utf8 { hasher.combine(byte) }
    }
}

/// Returns whether two strings have the same bytes, in a time that depends only on their lengths.
package func constantTimeEqual(_ left: String, _ right: String) -> Bool {
    var (left, right) = (left, right)
    return left.withUTF8 { left in right.withUTF8 { right in constantTimeEqual(left, right) } }
}

/// Returns whether two arrays are equal, in a time that depends only on their lengths.
package func constantTimeEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.withUnsafeBufferPointer { left in right.withUnsafeBufferPointer { right in constantTimeEqual(left, right) } }
}

private func constantTimeEqual(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    var difference: UInt8 = 0
    for index in left.indices { difference |= left[index] ^ right[index] }
    return difference == 0
}
