extension String {
    /// The text without what editors and web pages add to a copied identifier or secret: a byte order mark, and white space and invisible
    /// characters at both ends.
    package var withoutPasteRemnants: String {
        let start = unicodeScalars.drop(while: Self.isRemnant)
        return String(String.UnicodeScalarView(start.reversed().drop(while: Self.isRemnant).reversed()))
    }

    private static func isRemnant(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || ["\u{FEFF}", "\u{200B}", "\u{2060}", "\u{200E}", "\u{200F}"].contains(scalar)
    }
}
