import AuthHubPrimitives
import Testing

struct SecretTests {
    private struct Holder {
        let name = "holder"
        let token = Secret("canary")
        let tokens: [Secret<String>?] = [Secret("canary"), nil]
        let bytes = Secret([UInt8]("canary".utf8))
    }

    @Test func `printing never shows a secret`() {
        let holder = Holder()
        var dumped = ""
        dump(holder, to: &dumped)
        let texts = [
            dumped, "\(holder)", "\(holder.token)", String(reflecting: holder), String(describing: holder.token),
            String(reflecting: holder.token), "\(Mirror(reflecting: holder.token).children.map { "\($0)" })",
            "\(holder.tokens)", String(reflecting: holder.tokens), "\(holder.bytes)", String(reflecting: holder.bytes),
        ]
        for text in texts {
            #expect(!text.contains("canary"))
            #expect(!text.contains("99, 97"), "the bytes of the word")
        }
        #expect(dumped.contains("<redacted>"))
        #expect("\(holder.token)" == "<redacted>")
    }

    @Test func `reveals a secret on request`() {
        #expect(Secret("canary").reveal() == "canary")
    }

    @Test func `compares secrets byte for byte`() {
        #expect(Secret("a") == Secret("a"))
        #expect(Secret("a") != Secret("b"))
        #expect(Secret("a") != Secret("ab"))
        #expect(Secret("a\u{323}\u{302}") != Secret("a\u{302}\u{323}"), "canonically equivalent, and of the same length")
        #expect(Secret("K") != Secret("\u{212A}"), "the kelvin sign is canonically equivalent to K")
        #expect(Set([Secret("a"), Secret("a"), Secret("\u{212A}"), Secret("K")]).count == 3)
    }

    @Test(arguments: [([], [], true), ([1, 2], [1, 2], true), ([1, 2], [1, 3], false), ([1], [1, 2], false), ([0x80], [0], false)])
    func `comparing in constant time gives the same result`(left: [UInt8], right: [UInt8], isEqual: Bool) {
        #expect(constantTimeEqual(left, right) == isEqual)
    }

    @Test func `random bytes come from the given generator`() {
        struct Counting: RandomNumberGenerator {
            var count: UInt64 = 0
            mutating func next() -> UInt64 {
                count += 1
                return count
            }
        }
        var first = Counting()
        var second = Counting()
        #expect(randomBytes(count: 20, using: &first) == randomBytes(count: 20, using: &second))
        #expect(randomBytes(count: 20).count == 20)
        #expect(randomBytes(count: 20) != randomBytes(count: 20))
        #expect(randomBytes(count: 0).isEmpty)
    }
}
