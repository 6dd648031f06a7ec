import AuthHubPrimitives

/// The ID of a request. IDs that differ only in their JSON type, such as 1 and "1", are the same: some servers return a different type than
/// they received.
struct MessageID: Sendable, Hashable {
    /// The JSON text.
    let bytes: [UInt8]
    private let text: String

    static let null = Self(bytes: Array("null".utf8), text: "null")

    /// - Returns: nil if the value cannot be an ID.
    init?(_ value: MessageText?) {
        guard let value, let text = value.scalar else { return nil }
        let number = value.string == nil ? Int64(text) ?? Double(text).flatMap(Self.exactInteger) : nil
        self.init(bytes: Array(value.bytes), text: number.map(String.init) ?? text)
    }

    /// From 2^53 on, several integers have the same double.
    private static func exactInteger(_ number: Double) -> Int64? {
        abs(number) < 0x1p53 ? Int64(exactly: number) : nil
    }

    private init(bytes: [UInt8], text: String) { (self.bytes, self.text) = (bytes, text) }

    static func == (one: Self, other: Self) -> Bool { one.text.hasSameBytes(as: other.text) }

    func hash(into hasher: inout Hasher) { hasher.combine(Array(text.utf8)) }
}

/// Finds the ID of a message that cannot be read, such as one that is too long or incomplete: the first member `id` of the outermost object.
struct MessageIDSearch: Sendable {
    private(set) var id: MessageID?
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    private var name: [UInt8] = []
    /// The name or value that is being read.
    private var token: [UInt8] = []
    private static let tokenLimit = 1000

    mutating func accept(_ bytes: some Sequence<UInt8>) {
        for byte in bytes where id == nil { accept(byte) }
    }

    private mutating func accept(_ byte: UInt8) {
        if isInString {
            append(byte)
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else {
                isInString = byte != UInt8(ascii: "\"")
            }
            return
        }
        switch byte {
        case UInt8(ascii: "\""):
            isInString = true
            append(byte)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            depth += 1
            token = []
        case UInt8(ascii: ":") where depth == 1: (name, token) = (token, [])
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"):
            if depth == 1, name == Array("\"id\"".utf8), token.count < Self.tokenLimit { id = MessageID(MessageText(token)) }
            if byte == UInt8(ascii: ",") { if depth == 1 { (name, token) = ([], []) } } else { depth -= 1 }
        case 0x20, 0x09, 0x0D, 0x0A: break
        default: append(byte)
        }
    }

    private mutating func append(_ byte: UInt8) {
        if depth == 1, token.count < Self.tokenLimit { token.append(byte) }
    }
}
