/// Makes untrusted text safe for a terminal or a window: removes control, format and bidirectional characters and line breaks, and
/// truncates it.
package func displayable(_ text: String, limit: Int) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(limit) where scalar.isDisplayable { scalars.append(scalar) }
    return String(scalars)
}

/// Escapes the invisible characters of untrusted text, for example as `\u200b`, so that different strings look different. A longer text
/// ends with an ellipsis.
///
/// - Parameter limit: The maximum length in Unicode scalars.
package func escaped(_ text: String, limit: Int) -> String {
    let scalars = text.unicodeScalars
    let shown = scalars.prefix(limit).map { $0.isDisplayable ? String($0) : $0.escaped }.joined()
    return scalars.count > limit ? shown + "…" : shown
}

extension Unicode.Scalar {
    /// Whether the scalar is shown as itself: it does not control a terminal (ECMA-48 §5.2 and §5.3), does not reorder the text around it,
    /// and is not invisible.
    package var isDisplayable: Bool {
        if isASCII { return (0x20...0x7E).contains(value) }
        return switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        // Variation selectors choose the form of the character before them, as in emoji.
        default: !properties.isDefaultIgnorableCodePoint || properties.isVariationSelector
        }
    }

    /// The scalar as a JSON escape, such as `\u009b`; a pair of them above U+FFFF (RFC 8259 §7).
    package var escaped: String {
        utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}
