extension JSONValue {
    /// Serializes the value as JSON in UTF-8. The members of objects stay in order. Characters that control, reorder or hide text are
    /// escaped.
    ///
    /// - Parameter indented: Whether to write one member or element per line, indented by two spaces per level. Otherwise, the output
    ///   contains no whitespace.
    public func serialized(indented: Bool = false) -> [UInt8] {
        var text: [UInt8] = []
        write(into: &text, indentation: indented ? 0 : nil)
        return text
    }

    private func write(into text: inout [UInt8], indentation: Int?) {
        switch self {
        case .null: text += "null".utf8
        case .bool(let value): text += (value ? "true" : "false").utf8
        case .number(let number): text += number.text.utf8
        case .string(let string), .repairedString(let string): Self.write(string, into: &text)
        case .array(let values):
            Self.write(values, between: ("[", "]"), into: &text, indentation: indentation) { value, text, indentation in
                value.write(into: &text, indentation: indentation)
            }
        case .object(let object):
            Self.write(object.members, between: ("{", "}"), into: &text, indentation: indentation) { member, text, indentation in
                Self.write(member.name, into: &text)
                text += (indentation == nil ? ":" : ": ").utf8
                member.value.write(into: &text, indentation: indentation)
            }
        }
    }

    private static func write<Element>(
        _ elements: [Element],
        between delimiters: (Unicode.Scalar, Unicode.Scalar),
        into text: inout [UInt8],
        indentation: Int?,
        each: (Element, inout [UInt8], Int?) -> Void
    ) {
        text.append(UInt8(ascii: delimiters.0))
        let inner = indentation.map { $0 + 1 }
        for (index, element) in elements.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            breakLine(in: &text, indentation: inner)
            each(element, &text, inner)
        }
        if !elements.isEmpty { breakLine(in: &text, indentation: indentation) }
        text.append(UInt8(ascii: delimiters.1))
    }

    private static func breakLine(in text: inout [UInt8], indentation: Int?) {
        guard let indentation else { return }
        text.append(0x0A)
        text += Array(repeating: 0x20, count: indentation * 2)
    }

    /// Escapes characters that a terminal would not show as themselves (RFC 8259 §7). Readers get the same string, and JSON on a terminal
    /// can neither control it nor hide a part of itself.
    private static func write(_ string: String, into text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"", "\\": text += [UInt8(ascii: "\\"), UInt8(ascii: scalar)]
            case "\n": text += "\\n".utf8
            case "\r": text += "\\r".utf8
            case "\t": text += "\\t".utf8
            case _ where !scalar.isDisplayable: text += scalar.escaped.utf8
            case _ where scalar.isASCII: text.append(UInt8(ascii: scalar))
            default: text += scalar.utf8
            }
        }
        text.append(UInt8(ascii: "\""))
    }
}
