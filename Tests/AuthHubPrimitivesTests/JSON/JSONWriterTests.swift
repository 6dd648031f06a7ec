import AuthHubPrimitives
import Testing

struct JSONWriterTests {
    @Test func `what is written is read again`() throws {
        let controls = String(String.UnicodeScalarView((0..<0x20).map { Unicode.Scalar(UInt8($0)) }))
        let value: JSONValue = [
            "text": .string(controls + "\u{7F}\"\\/é😀\u{2028}"),
            "numbers": [0, -1, .number(JSONNumber(.max))],
            "nested": [[:], [], [nil, true, false], ["": ""]],
        ]
        #expect(try JSONValue(strict: value.serialized()) == value)
        #expect(try JSONValue(strict: value.serialized(indented: true)) == value)
        #expect(value.serialized().allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "no control character stands for itself")
    }

    @Test func `a number is written as it was read`() throws {
        for text in ["1e400", "-0", "1.50", "3.6E+3"] {
            #expect(try JSONValue(strict: text.utf8).serialized() == Array(text.utf8))
        }
    }

    @Test func `text is compact, or indented for people`() {
        let value: JSONValue = ["b": [1, [:]], "a": "x"]
        #expect(String(decoding: value.serialized(), as: UTF8.self) == #"{"b":[1,{}],"a":"x"}"#)
        #expect(
            String(decoding: value.serialized(indented: true), as: UTF8.self) == """
                {
                  "b": [
                    1,
                    {}
                  ],
                  "a": "x"
                }
                """)
    }
}
