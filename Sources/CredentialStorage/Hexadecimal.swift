extension [UInt8] {
    package var hexadecimal: String {
        let digits = Array<UInt8>("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

extension CredentialAccount.ID {
    /// nil unless the string has exactly 64 hexadecimal digits, with lowercase letters.
    package init?(hexadecimal: Substring) {
        let digits = Array(hexadecimal.utf8)
        guard digits.count == 64 else { return nil }
        let bytes = stride(from: 0, to: 64, by: 2).compactMap { UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16) }
        guard bytes.count == 32, bytes.hexadecimal.utf8.elementsEqual(digits) else { return nil }
        self.init(bytes: bytes)
    }
}
