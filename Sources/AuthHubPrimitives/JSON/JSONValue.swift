/// A JSON value that preserves the order of members and the notation of numbers.
///
/// The library has its own strict parser, because it must validate a server's response before it uses the response: duplicate members are
/// an error (RFC 8259 §4 does not define which one wins), the nesting depth is limited, and a byte order mark or bytes after the value are
/// rejected.
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// Compares strings byte by byte, numbers by their text, and members in order.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }
}

/// A JSON number, stored as text so that it keeps its precision until you convert it.
public struct JSONNumber: Sendable, Hashable {
    /// The number in JSON notation, such as `3600` or `3.6e3`.
    public let text: String

    package init(text: String) {
        self.text = text
    }

    /// Creates a number from an integer, in decimal notation.
    public init(_ value: Int64) {
        text = String(value)
    }

    /// The number in floating point; infinite if it is too large, as in `1e400`.
    public var double: Double {
        // Most numbers are short, and whole: this is faster, and exact.
        if text.utf8.count < 16, let whole = Int64(text) { return Double(whole) }
        return Double(text) ?? .infinity
    }

    /// The number as an integer, in any notation (`3600`, `3600.0`, `3.6e3`); nil if it is not whole or out of range.
    ///
    /// From a magnitude of 2⁵³ on, it is also nil if the number is written with a fraction or an exponent, because floating point would
    /// round it.
    public var int64: Int64? {
        if let whole = Int64(text) { return whole }
        guard double.magnitude < 0x1p53 else { return nil }
        // `Int64(exactly:)` would need the C math library, which not every program links.
        let whole = Int64(double)
        return Double(whole) == double ? whole : nil
    }
}

/// The members of a JSON object in order, with unique names.
public struct JSONObject: Sendable, Hashable {
    /// A name and its value.
    public struct Member: Sendable, Hashable {
        /// The name, without JSON escapes.
        public let name: String
        /// The value, which is ``JSONValue/null`` if the member is present but null.
        public let value: JSONValue

        fileprivate let digest: NameDigest

        fileprivate init(_ name: String, _ value: JSONValue, _ digest: NameDigest) {
            self.name = name
            self.value = value
            self.digest = digest
        }

        /// Compares names byte by byte. Canonically equivalent names with different bytes are different.
        public static func == (left: Self, right: Self) -> Bool {
            left.digest == right.digest && left.name.hasSameBytes(as: right.name) && left.value == right.value
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(name)
            hasher.combine(value)
        }
    }

    /// The members in order, each with a different name.
    public private(set) var members: [Member] = []

    /// Creates an object without members.
    public init() {}

    /// The value of the member with this name; nil if there is none. Setting nil removes the member; setting the value of a new name
    /// appends a member.
    public subscript(name: String) -> JSONValue? {
        get { index(of: name).map { members[$0].value } }
        set {
            let digest = NameDigest(name)
            switch (index(of: name, digest), newValue) {
            case (let index?, let value?): members[index] = Member(name, value, digest)
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(name, value, digest))
            case (nil, nil): break
            }
        }
    }

    /// Returns the index of the member with this name; nil if there is none.
    func index(of name: String) -> Int? { index(of: name, NameDigest(name)) }

    private func index(of name: String, _ digest: NameDigest) -> Int? {
        members.firstIndex { $0.digest == digest && $0.name.hasSameBytes(as: name) }
    }

    package mutating func appendUnchecked(_ name: String, _ value: JSONValue) {
        // Most objects have a few members: one allocation instead of one for each doubling.
        if members.isEmpty { members.reserveCapacity(8) }
        members.append(Member(name, value, NameDigest(name)))
    }
}

/// The length of a name and three of its bytes. Most names differ in them, so that they are compared without reading the names.
private struct NameDigest: Sendable, Equatable {
    private let word: UInt64

    init(_ name: String) {
        var name = name
        word = name.withUTF8 { bytes in
            guard let first = bytes.first, let last = bytes.last else { return 0 }
            return UInt64(first) | UInt64(bytes[bytes.count / 2]) << 8 | UInt64(last) << 16 | UInt64(bytes.count) << 24
        }
    }
}

extension JSONValue {
    /// The string; nil if the value is not a string.
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    /// The Boolean; nil if the value is neither true nor false.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The number; nil if the value is not a number, even if it is a string of digits.
    public var number: JSONNumber? { if case .number(let value) = self { value } else { nil } }
    /// The elements of the array; nil if the value is not an array.
    public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
    /// The object; nil if the value is not an object.
    public var object: JSONObject? { if case .object(let value) = self { value } else { nil } }

    /// The member with this name; nil if there is none, or if the value is not an object.
    public subscript(name: String) -> JSONValue? { object?[name] }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int64) { self = .number(JSONNumber(value)) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    public init(nilLiteral: ()) { self = .null }
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        var object = JSONObject()
        for (name, value) in elements { object[name] = value }
        self = .object(object)
    }
}
