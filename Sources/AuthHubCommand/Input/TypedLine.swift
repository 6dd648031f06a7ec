import AuthHubPrimitives

/// A line that a person types or pastes into a terminal without line editing of its own, byte by byte.
struct TypedLine: Sendable {
    enum Step: Sendable {
        case more
        /// The line has ended; nil where nothing stands in it.
        case ended(Secret<String>?)
    }

    private enum Sequence: Hashable {
        case none
        /// After the escape character.
        case begun
        /// After its bracket: up to a letter or a tilde.
        case parameters
    }

    private var bytes: [UInt8]
    private var sequence = Sequence.none

    /// The longest line that is taken; one byte more is kept, so that a longer one is seen to be too long instead of being cut.
    static let maximumBytes = 64 * 1024

    /// - Parameter bytes: What was typed of it already.
    init(_ bytes: [UInt8] = []) {
        self.bytes = bytes
    }

    var isEmpty: Bool { bytes.isEmpty }

    /// Takes a byte. Return and Ctrl-D end the line, Backspace and Ctrl-U take back; what keys such as arrows send, and what terminals put
    /// around a paste (ECMA-48 §5.4), is no part of it.
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
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0x04:
            return .ended(bytes.isEmpty ? nil : Secret(String(decoding: bytes, as: UTF8.self)))
        case 0x1B: sequence = .begun
        case 0x7F, 0x08: _ = bytes.popLast()
        case 0x15: bytes.removeAll()
        default: if bytes.count <= Self.maximumBytes { bytes.append(byte) }
        }
        return .more
    }
}
