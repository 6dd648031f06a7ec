/// A list of names and values, as in `application/x-www-form-urlencoded`.
///
/// Order and duplicates are preserved, because a parser has to detect parameters that occur twice (RFC 6749 §3.1). The encoding is that of
/// RFC 6749 Appendix B, which the WHATWG URL Standard defines today.
public struct FormParameters: Sendable, Hashable {
    /// A name and its value, neither of them encoded.
    package struct Parameter: Sendable, Hashable {
        /// The name. Several parameters of a list can have the same name.
        package var name: String
        /// The value; empty if there was no `=` after the name.
        package var value: String
        /// Whether U+FFFD replaces a part of the name or the value that could not be decoded. Such a parameter is only for display.
        package private(set) var isRepaired = false

        /// Creates a parameter from an unencoded name and an unencoded value.
        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }

        /// Compares byte by byte. Canonically equivalent strings with different bytes are different.
        package static func == (left: Self, right: Self) -> Bool {
            left.name.hasSameBytes(as: right.name) && left.value.hasSameBytes(as: right.value) && left.isRepaired == right.isRepaired
        }

        fileprivate init(_ pair: ArraySlice<UInt8>) {
            let end = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            let (name, value) = (DecodedText(pair[..<end]), DecodedText(pair[end...].dropFirst()))
            self.init(name: name.text, value: value.text)
            isRepaired = name.fault != nil || value.fault != nil
        }
    }

    /// The parameters in order, including repetitions.
    package private(set) var parameters: [Parameter]

    /// Creates an empty list.
    public init() {
        parameters = []
    }

    /// Creates a list with these parameters, including duplicates.
    package init(_ parameters: [Parameter]) {
        self.parameters = parameters
    }

    /// Decodes form-encoded text. `+` and `%20` are spaces, a name without `=` has an empty value, and empty pairs are ignored.
    ///
    /// - Throws: ``FormDecodingError`` if the text contains an incomplete escape, invalid UTF-8 (including overlong forms), or a NUL.
    package init(decoding text: some StringProtocol) throws(FormDecodingError) {
        parameters = []
        for pair in Array(text.utf8).split(separator: UInt8(ascii: "&")) {
            let end = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            let name = try DecodedText(pair[..<end]).exact()
            let value = try DecodedText(pair[end...].dropFirst()).exact()
            parameters.append(Parameter(name: name, value: value))
        }
    }

    /// Decodes form-encoded text that a server or a browser sent. Each part that ``init(decoding:)`` would reject becomes U+FFFD, and its
    /// parameter ``Parameter/isRepaired``.
    package init(received text: some Sequence<UInt8>) {
        parameters = Array(text).split(separator: UInt8(ascii: "&")).map { Parameter($0) }
    }

    /// The value of the first parameter with this name; nil if there is none.
    public subscript(name: String) -> String? {
        parameters.first { $0.name.hasSameBytes(as: name) }?.value
    }

    /// Returns all values with a name, in order.
    package func values(named name: String) -> [String] {
        parameters.lazy.filter { $0.name.hasSameBytes(as: name) }.map(\.value)
    }

    /// Returns the value of a parameter that occurs once and could be decoded; otherwise nil.
    package func exact(_ name: String) -> String? {
        var found: Parameter?
        for parameter in parameters where parameter.name.hasSameBytes(as: name) {
            guard found == nil else { return nil }
            found = parameter
        }
        return found.flatMap { $0.isRepaired ? nil : $0.value }
    }

    /// Appends a parameter, even if the list already has one with this name.
    public mutating func append(_ name: String, _ value: String) {
        parameters.append(Parameter(name: name, value: value))
    }

    /// Appends a pair unless the value is nil.
    package mutating func append(_ name: String, ifPresent value: String?) {
        if let value { append(name, value) }
    }

    /// Replaces all parameters that have this name with a single one at the position of the first; appends it if there is none.
    public mutating func set(_ name: String, to value: String) {
        guard let first = parameters.firstIndex(where: { $0.name.hasSameBytes(as: name) }) else { return append(name, value) }
        parameters[first].value = value
        parameters = parameters.enumerated().filter { $0.offset <= first || !$0.element.name.hasSameBytes(as: name) }.map(\.element)
    }
}

extension FormParameters: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { Parameter(name: $0.0, value: $0.1) })
    }
}

extension FormParameters {
    /// The encoding of a space. Readers accept both, but some servers only understand `%20` in a query.
    package enum SpaceCoding: Sendable {
        case plus
        case percent
    }

    /// Returns the pairs as form-encoded text.
    package func encoded(spaces: SpaceCoding = .plus) -> String {
        var text: [UInt8] = []
        for (index, parameter) in parameters.enumerated() {
            if index > 0 { text.append(UInt8(ascii: "&")) }
            Self.encode(parameter.name, into: &text, spaces: spaces)
            text.append(UInt8(ascii: "="))
            Self.encode(parameter.value, into: &text, spaces: spaces)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Encodes a single name or value. HTTP Basic credentials of OAuth clients consist of two such values (RFC 6749 §2.3.1).
    package static func encode(_ value: String, spaces: SpaceCoding = .plus) -> String {
        var text: [UInt8] = []
        encode(value, into: &text, spaces: spaces)
        return String(decoding: text, as: UTF8.self)
    }

    private static func encode(_ value: String, into text: inout [UInt8], spaces: SpaceCoding) {
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "*"):
                text.append(byte)
            case UInt8(ascii: " ") where spaces == .plus:
                text.append(UInt8(ascii: "+"))
            default:
                appendPercentEncoded(byte, to: &text)
            }
        }
    }
}

/// A decoded name or value, with U+FFFD for each part that cannot be decoded.
private struct DecodedText {
    let text: String
    /// The first thing that is wrong with the encoded text.
    let fault: FormDecodingError?

    init(_ encoded: ArraySlice<UInt8>) {
        var fault: FormDecodingError?
        let bytes = Self.decode(encoded, &fault)
        if let text = String(validating: bytes, as: UTF8.self) {
            self.text = text
        } else {
            text = String(decoding: bytes, as: UTF8.self)
            fault = fault ?? .notUTF8
        }
        self.fault = fault
    }

    func exact() throws(FormDecodingError) -> String {
        if let fault { throw fault }
        return text
    }

    private static func decode(_ encoded: ArraySlice<UInt8>, _ fault: inout FormDecodingError?) -> ArraySlice<UInt8> {
        guard encoded.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "%") || $0 == 0 }) else { return encoded }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(encoded.count)
        func digit(at index: Int) -> UInt8? { index < encoded.endIndex ? encoded[index].hexadecimalDigit : nil }
        var index = encoded.startIndex
        while index < encoded.endIndex {
            var byte = encoded[index]
            index += 1
            if byte == UInt8(ascii: "+") {
                byte = UInt8(ascii: " ")
            } else if byte == UInt8(ascii: "%") {
                guard let high = digit(at: index), let low = digit(at: index + 1) else {
                    fault = fault ?? .incompleteEscape
                    bytes += replacement
                    continue
                }
                index += 2
                byte = high << 4 | low
            }
            if byte == 0 {
                fault = fault ?? .nulCharacter
                bytes += replacement
            } else {
                bytes.append(byte)
            }
        }
        return bytes[...]
    }

    private static let replacement = Array("\u{FFFD}".utf8)
}

/// An error in form-encoded text.
package enum FormDecodingError: Error, Hashable, Sendable {
    case incompleteEscape
    case notUTF8
    case nulCharacter
}
