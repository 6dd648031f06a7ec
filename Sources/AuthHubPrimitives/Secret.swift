/// A value that must never be shown: a token, an authorization code, a verifier, a client secret.
///
/// Its description is `<redacted>`, including in debug output, string interpolation and mirrors. It is not `Codable`, so encoding the value
/// requires a visible call of ``reveal()``.
public struct Secret<Value: Sendable>: Sendable {
    private let value: Value

    /// Creates a secret from a value, which only ``reveal()`` returns.
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
    /// Compares all bytes in constant time and byte by byte: canonically equivalent strings differ.
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
