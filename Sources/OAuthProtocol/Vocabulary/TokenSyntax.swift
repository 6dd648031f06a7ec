/// Whether a string can be sent as a token in a header field (RFC 6750 §2.1): visible ASCII, and not empty.
func isUsableToken(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
}
