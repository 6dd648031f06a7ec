import AuthHubPrimitives
import Testing

struct Base64URLTests {
    /// RFC 4648 §10 without padding, RFC 7515 appendix C, RFC 7636 appendix B.
    static let vectors: [(bytes: [UInt8], text: String)] = [
        ([], ""),
        (Array("f".utf8), "Zg"),
        (Array("fo".utf8), "Zm8"),
        (Array("foo".utf8), "Zm9v"),
        (Array("foob".utf8), "Zm9vYg"),
        (Array("fooba".utf8), "Zm9vYmE"),
        (Array("foobar".utf8), "Zm9vYmFy"),
        ([3, 236, 255, 224, 193], "A-z_4ME"),
        (
            [
                116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77, 105, 214, 191, 240, 91, 88, 5,
                88, 83, 132, 141, 121,
            ], "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        ),
    ]

    @Test(arguments: vectors)
    func `encodes and decodes the vectors of the RFCs`(bytes: [UInt8], text: String) {
        #expect(Base64URL.encode(bytes) == text)
        #expect(Base64URL.decode(text) == bytes)
    }

    @Test(arguments: [
        "Zg==", "Zg=", "Zm9v\n", " Zm9v", "Zm 9v", "Zm+v", "Zm/v", "Zm9v!", "Zm9\u{301}", "Ｚg",
        "A", "Zm9vY",  // six bits cannot be a byte
        "Zh", "Zm9", "AAF", "//8",  // bits left over, or the other alphabet
    ])
    func `rejects input that the encoder would not write`(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test(arguments: [6, 7, 8])
    func `rejects a byte outside the alphabet at every position`(length: Int) {
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
        for position in 0..<length {
            for byte in UInt8.min ... .max where !alphabet.contains(byte) {
                var text = [UInt8](repeating: UInt8(ascii: "A"), count: length)
                #expect(text.withUnsafeBufferPointer(Base64URL.decode(ascii:)) != nil)
                text[position] = byte
                #expect(text.withUnsafeBufferPointer(Base64URL.decode(ascii:)) == nil)
            }
        }
    }

    @Test func `every byte value is preserved at every position`() {
        for length in 1...4 {
            for byte in UInt8.min ... .max {
                let bytes = [UInt8](repeating: byte, count: length)
                #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
            }
        }
    }
}
