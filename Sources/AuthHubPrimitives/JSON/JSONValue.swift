/// A JSON value that preserves the order of members and the notation of numbers.
///
/// The library has its own strict parser, because it must validate a server's response before it uses the response: duplicate members are
/// an error (RFC 8259 §4 does not define which one wins), the nesting depth and the number of values are limited, and a byte order mark or
/// bytes after the value are rejected.
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    /// A string in a server's response that contained invalid UTF-8 or unpaired surrogates, each replaced by U+FFFD. It is only for display:
    /// it is not what the server meant, so it must not be compared or used. ``string`` is nil, and ``displayString`` has the text.
    case repairedString(String)
    case array([JSONValue])
    case object(JSONObject)

    /// Compares strings byte by byte, numbers by their text, and members in order.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)), (.repairedString(let left), .repairedString(let right)): left.hasSameBytes(as: right)
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
        if let whole = text.shortWholeNumber { return Double(whole) }
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
        public var name: String { key.text }
        /// The value, which is ``JSONValue/null`` if the member is present but null.
        public let value: JSONValue

        fileprivate let key: MemberName

        fileprivate init(_ key: MemberName, _ value: JSONValue) {
            self.key = key
            self.value = value
        }

        /// Compares names byte by byte. Canonically equivalent names with different bytes are different.
        public static func == (left: Self, right: Self) -> Bool {
            left.key.hasSameBytes(as: right.key) && left.value == right.value
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

    /// Creates an object from members, in linear time. If a name occurs twice, the last value counts, at the first place.
    package init(_ members: some Sequence<(String, JSONValue)>) {
        var names = NamesInObject()
        for (name, value) in members {
            let member = Member(MemberName(name), value)
            if let index = names.insert(member.key, afterMembersOf: self) {
                self.members[index] = member
            } else {
                self.members.append(member)
            }
        }
    }

    /// The value of the member with this name; nil if there is none. Setting nil removes the member; setting the value of a new name
    /// appends a member.
    public subscript(name: String) -> JSONValue? {
        get { index(of: MemberName(name)).map { members[$0].value } }
        set {
            let key = MemberName(name)
            switch (index(of: key), newValue) {
            case (let index?, let value?): members[index] = Member(key, value)
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(key, value))
            case (nil, nil): break
            }
        }
    }

    /// Returns this object with other members, whose values count if this object has such members, too.
    package func merging(_ others: [Member]) -> JSONObject {
        JSONObject((members + others).lazy.map { ($0.name, $0.value) })
    }

    var names: some Sequence<MemberName> { members.lazy.map(\.key) }

    mutating func reserveCapacity(_ capacity: Int) { members.reserveCapacity(capacity) }

    /// Returns the index of the member with this name; nil if there is none.
    func index(of name: MemberName) -> Int? { members.firstIndex { $0.key.hasSameBytes(as: name) } }

    package mutating func appendUnchecked(_ name: String, _ value: JSONValue) { appendUnchecked(MemberName(name), value) }

    mutating func appendUnchecked(_ name: MemberName, _ value: JSONValue) { members.append(Member(name, value)) }
}

extension JSONValue {
    /// The string; nil if the value is not a string, or one that was repaired.
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    /// The string for display, with U+FFFD for each part that could not be decoded; nil if the value is not a string.
    public var displayString: String? {
        switch self {
        case .string(let value), .repairedString(let value): value
        default: nil
        }
    }
    /// A string for display instead of one that was repaired; any other value unchanged.
    package var forDisplay: JSONValue { displayString.map(JSONValue.string) ?? self }
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
        self = .object(JSONObject(elements))
    }
}
