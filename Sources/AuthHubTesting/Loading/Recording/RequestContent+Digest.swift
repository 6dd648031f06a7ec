import Crypto

extension Recording.RequestContent {
    /// Creates the recorded form of a body.
    ///
    /// - Parameter text: Not nil if the body is to be stored as text.
    init(_ bytes: [UInt8], text: Void?) {
        length = bytes.count
        digest = SHA256.hash(data: bytes).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
        self.text = text == nil || bytes.isEmpty ? nil : String(validating: bytes, as: UTF8.self)
    }
}
