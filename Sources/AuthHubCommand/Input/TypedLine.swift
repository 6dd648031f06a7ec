import AuthHubPrimitives

/// A line that the user types or pastes into a terminal without line editing, byte by byte.
struct TypedLine: Sendable {
    enum Step: Sendable {
        case more
        /// The line has ended; the value is nil if it is empty.
        case ended(Secret<String>?)
    }

    private enum Sequence: Hashable {
        case none
        /// After the escape character.
        case begun
        /// After its bracket, up to a letter or a tilde.
        case parameters
    }

    private var bytes: [UInt8]
    private var sequence = Sequence.none

    /// The longest accepted line; one more byte is stored, so that a longer line is detected instead of being cut.
    static let maximumBytes = 64 * 1024

    /// Ctrl-D.
    static let endOfInput: UInt8 = 0x04

    /// Creates a line.
    ///
    /// - Parameter bytes: The bytes that were typed already.
    init(_ bytes: [UInt8] = []) {
        self.bytes = bytes
    }

    var isEmpty: Bool { bytes.isEmpty }

    /// The characters as a terminal can show them.
    var shown: [Character] { Array(displayable(String(decoding: bytes, as: UTF8.self), limit: Self.maximumBytes)) }

    /// Adds a byte. Return and Ctrl-D end the line, Backspace and Ctrl-U delete; sequences of keys such as arrows, and those that terminals
    /// put around a paste (ECMA-48 §5.4), are ignored.
    mutating func take(_ byte: UInt8) -> Step {
        switch (sequence, byte) {
        case (.begun, UInt8(ascii: "[")):
            sequence = .parameters
            return .more
        case (.parameters, 0x20...0x3F):
            return .more
        case (.parameters, 0x40...0x7E):
            sequence = .none
            return .more
        default:
            sequence = .none
        }
        switch byte {
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"), Self.endOfInput:
            return .ended(bytes.isEmpty ? nil : Secret(String(decoding: bytes, as: UTF8.self)))
        case 0x1B: sequence = .begun
        case 0x7F, 0x08: _ = bytes.popLast()
        case 0x15: bytes.removeAll()
        default: if bytes.count <= Self.maximumBytes { bytes.append(byte) }
        }
        return .more
    }
}
