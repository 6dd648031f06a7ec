/// Whether a text can stand in a header field as a token (RFC 6750 §2.1): visible ASCII, and some of it.
func isUsableToken(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
}
