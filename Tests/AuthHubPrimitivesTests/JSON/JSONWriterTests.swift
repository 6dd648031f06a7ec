import AuthHubPrimitives
import Testing

struct JSONWriterTests {
    @Test func `reads back what it writes`() throws {
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

    struct Escape: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let written: String
    }

    @Test(arguments: [
        Escape(testDescription: "C1 controls", text: "\u{80}\u{9B}2J\u{9F}", written: #""\u0080\u009b2J\u009f""#),
        Escape(testDescription: "bidirectional controls", text: "a\u{202E}b\u{2069}\u{61C}", written: #""a\u202eb\u2069\u061c""#),
        Escape(
            testDescription: "invisible characters", text: "\u{200B}\u{200D}\u{FEFF}\u{AD}\u{3164}\u{34F}",
            written: #""\u200b\u200d\ufeff\u00ad\u3164\u034f""#),
        Escape(testDescription: "line separators", text: "\u{2028}\u{2029}\u{85}", written: #""\u2028\u2029\u0085""#),
        Escape(
            testDescription: "a tag and a private-use character above U+FFFF", text: "\u{E0041}\u{F0000}",
            written: #""\udb40\udc41\udb80\udc00""#),
        Escape(testDescription: "characters shown as themselves", text: "é日本😀❤\u{FE0F}ا", written: "\"é日本😀❤\u{FE0F}ا\""),
    ])
    func `escapes characters that would control a terminal, or are invisible, and reads them back unchanged`(row: Escape) throws {
        let value = JSONValue.string(row.text)
        #expect(value.serialized() == Array(row.written.utf8))
        #expect(try JSONValue(strict: value.serialized()) == value)
        var object = JSONObject()
        object[row.text] = 1
        #expect(JSONValue.object(object).serialized() == Array("{\(row.written):1}".utf8))
    }

    @Test func `writes a number as it was read`() throws {
        for text in ["1e400", "-0", "1.50", "3.6E+3"] {
            #expect(try JSONValue(strict: text.utf8).serialized() == Array(text.utf8))
        }
    }

    @Test func `writes compact text, or indented text for people`() {
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
