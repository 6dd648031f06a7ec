/// A JSON text as a value: members in their order, numbers as they were written.
///
/// A strict reader of its own, because what a server sends is judged before it is used: a member that occurs twice is an error
/// (RFC 8259 §4 leaves open which one would win), depth is limited, and a byte order mark or bytes after the value are refused.
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// Texts byte for byte, numbers by their text, members in their order.
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

/// A JSON number by its text, so that nothing is lost before someone asks for a type.
public struct JSONNumber: Sendable, Hashable {
    public let text: String

    package init(text: String) {
        self.text = text
    }

    public init(_ value: Int64) {
        text = String(value)
    }

    /// The value as a binary floating-point number; may be infinite (`1e400`).
    public var double: Double { Double(text) ?? .infinity }

    /// The value where it is a whole number in range, however it was written (`3600`, `3600.0`, `3.6e3`).
    ///
    /// Nil from 2⁵³ on where it is written with a fraction or an exponent: floating point would round it.
    public var int64: Int64? {
        if let whole = Int64(text) { return whole }
        guard double.magnitude < 0x1p53 else { return nil }
        // `Int64(exactly:)` would need the C mathematics library, which not every program links.
        let whole = Int64(double)
        return Double(whole) == double ? whole : nil
    }
}

/// The members of a JSON object, each name once, in the order they were written.
public struct JSONObject: Sendable, Hashable {
    public struct Member: Sendable, Hashable {
        public let name: String
        public let value: JSONValue

        /// Names byte for byte: canonically equivalent texts name different members.
        public static func == (left: Self, right: Self) -> Bool {
            left.name.hasSameBytes(as: right.name) && left.value == right.value
        }
    }

    public private(set) var members: [Member] = []

    public init() {}

    public subscript(name: String) -> JSONValue? {
        get { members.first { $0.name.hasSameBytes(as: name) }?.value }
        set {
            let index = members.firstIndex { $0.name.hasSameBytes(as: name) }
            switch (index, newValue) {
            case (let index?, let value?): members[index] = Member(name: name, value: value)
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    package mutating func appendUnchecked(_ name: String, _ value: JSONValue) {
        members.append(Member(name: name, value: value))
    }
}

extension JSONValue {
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    public var number: JSONNumber? { if case .number(let value) = self { value } else { nil } }
    public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
    public var object: JSONObject? { if case .object(let value) = self { value } else { nil } }

    /// The member of this name, where this is an object that has it.
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
