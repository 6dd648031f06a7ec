import AuthHubPrimitives

/// Whether a string is a scheme, a colon and at least one more character, all in visible ASCII (RFC 3986 §4.3).
func isAbsoluteURI(_ text: String) -> Bool {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), let first = text.utf8.first, first.isASCIILetter,
        text.utf8.index(after: colon) < text.utf8.endIndex
    else { return false }
    return text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\"<>\\^`{|}".utf8.contains($0) }
        && text.utf8[..<colon].allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0) }
}
