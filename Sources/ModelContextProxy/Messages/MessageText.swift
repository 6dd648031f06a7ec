import AuthHubPrimitives

/// The text of a JSON value in a message that is only passed on.
///
/// It is read as tolerantly as hosts and servers read it: any depth, members that are repeated (the last one counts), and halves of surrogate
/// pairs, which only become U+FFFD in ``string``. Nothing is copied or kept but the places of values.
struct MessageText: Sendable {
    let bytes: ArraySlice<UInt8>

    /// Creates the text of a whole message, without a byte order mark and the white space around it.
    ///
    /// - Returns: nil if it is not JSON.
    init?(_ bytes: [UInt8]) {
        var reader = MessageReader(bytes.withoutByteOrderMark)
        guard let value = reader.readValue(), reader.isAtEnd else { return nil }
        self.bytes = value
    }

    init(value: ArraySlice<UInt8>) { bytes = value }

    /// The members of an object with their names, in order; empty for other values.
    var members: [(name: String, value: MessageText)] {
        guard bytes.first == UInt8(ascii: "{") else { return [] }
        var reader = MessageReader(bytes.dropFirst())
        var members: [(name: String, value: MessageText)] = []
        while let name = reader.readName(), let value = reader.readValue() {
            members.append((MessageText(value: name).string ?? "", MessageText(value: value)))
            guard reader.skip(UInt8(ascii: ",")) else { break }
        }
        return members
    }

    /// Returns the elements of an array, one more than the limit at most; nil for other values.
    func elements(upTo limit: Int = .max) -> [MessageText]? {
        guard bytes.first == UInt8(ascii: "[") else { return nil }
        var reader = MessageReader(bytes.dropFirst())
        var elements: [MessageText] = []
        while let value = reader.readValue() {
            elements.append(MessageText(value: value))
            guard elements.count <= limit, reader.skip(UInt8(ascii: ",")) else { break }
        }
        return elements
    }

    /// The last member with a name.
    subscript(name: String) -> MessageText? { members.last { $0.name.hasSameBytes(as: name) }?.value }

    var isObject: Bool { bytes.first == UInt8(ascii: "{") }

    /// The text of a string; nil for other values.
    var string: String? {
        guard bytes.first == UInt8(ascii: "\"") else { return nil }
        return MessageReader.text(of: bytes.dropFirst().dropLast())
    }

    /// The text of a string, a number or a word; nil for other values.
    var scalar: String? {
        switch bytes.first {
        case UInt8(ascii: "{"), UInt8(ascii: "["), nil: nil
        default: string ?? String(decoding: bytes, as: UTF8.self)
        }
    }

    /// The value for code that needs all of it; nil if it breaks the rules for values that are used.
    var value: JSONValue? { try? JSONValue(strict: bytes) }
}
