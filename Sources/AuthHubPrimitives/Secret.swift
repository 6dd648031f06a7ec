/// A value that must never be shown: a token, an authorization code, a verifier, a client secret.
///
/// It prints as `<redacted>` in descriptions, debug output, string interpolation and mirrors, and it is not `Codable`, so that
/// writing it down takes a visible call of ``reveal()``.
public struct Secret<Value: Sendable>: Sendable {
    private let value: Value

    public init(_ value: Value) {
        self.value = value
    }

    /// The value itself. Every call is a place to look at in a review: what is revealed must not reach output, logs or errors.
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
    /// Compares all bytes whatever the first difference is, and byte for byte: canonically equivalent texts differ.
    public static func == (left: Self, right: Self) -> Bool {
        constantTimeEqual(left.value.utf8, right.value.utf8)
    }
}

extension Secret: Hashable where Value == String {
    public func hash(into hasher: inout Hasher) {
        for byte in value.utf8 { hasher.combine(byte) }
    }
}

/// Whether two byte sequences are the same, in a time that depends on their lengths alone.
public func constantTimeEqual(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    var difference: UInt8 = 0
    for (leftByte, rightByte) in zip(left, right) { difference |= leftByte ^ rightByte }
    return difference == 0
}
