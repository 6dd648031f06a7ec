import AuthHubPrimitives
import Testing

struct JSONReaderTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let expected: JSONError

        init(_ testDescription: String, _ text: String, _ expected: JSONError) {
            self.init(testDescription, Array(text.utf8), expected)
        }

        init(_ testDescription: String, _ bytes: [UInt8], _ expected: JSONError) {
            self.testDescription = testDescription
            self.bytes = bytes
            self.expected = expected
        }
    }

    static let refused = [
        Row("nothing", "", .unexpectedEnd),
        Row("only white space", " \n", .unexpectedEnd),
        Row("a byte order mark", "\u{FEFF}{}", .byteOrderMark),
        Row("a UTF-16 byte order mark", [0xFF, 0xFE, 0x7B, 0, 0x7D, 0], .unexpectedByte(offset: 0)),
        Row("bytes after the value", "{} x", .unexpectedByte(offset: 3)),
        Row("two values", "1 2", .unexpectedByte(offset: 2)),
        Row("NUL after the value", "1\u{0}", .unexpectedByte(offset: 1)),
        Row("Unicode white space", "\u{A0}1", .unexpectedByte(offset: 0)),
        Row("a form feed", "\u{C}1", .unexpectedByte(offset: 0)),
        Row("a comment", "/**/1", .unexpectedByte(offset: 0)),
        Row("an unknown literal", "nul", .unexpectedEnd),
        Row("a literal in upper case", "True", .unexpectedByte(offset: 0)),
        Row("a literal with extra letters", "nulla", .unexpectedByte(offset: 4)),
        Row("not a number", "NaN", .unexpectedByte(offset: 0)),
        Row("infinity", "Infinity", .unexpectedByte(offset: 0)),
        Row("minus infinity", "-Infinity", .unexpectedByte(offset: 1)),
        Row("a leading zero", "01", .unexpectedByte(offset: 1)),
        Row("a negative leading zero", "-01", .unexpectedByte(offset: 2)),
        Row("a plus sign", "+1", .unexpectedByte(offset: 0)),
        Row("a lone minus", "-", .unexpectedEnd),
        Row("a decimal point without digits after", "1.", .unexpectedEnd),
        Row("a decimal point without digits after, in an array", "[1.]", .unexpectedByte(offset: 3)),
        Row("a decimal point without digits before", ".5", .unexpectedByte(offset: 0)),
        Row("an exponent without digits", "1e", .unexpectedEnd),
        Row("an exponent with only a sign", "[1e+]", .unexpectedByte(offset: 4)),
        Row("hexadecimal", "0x1", .unexpectedByte(offset: 1)),
        Row("digits that are not ASCII", "١", .unexpectedByte(offset: 0)),
        Row("an open array", "[1", .unexpectedEnd),
        Row("a comma at the end of an array", "[1,]", .unexpectedByte(offset: 3)),
        Row("a comma at the start of an array", "[,1]", .unexpectedByte(offset: 1)),
        Row("two commas", "[1,,2]", .unexpectedByte(offset: 3)),
        Row("an array closed by an object's bracket", "[1}", .unexpectedByte(offset: 2)),
        Row("an open object", #"{"a":1"#, .unexpectedEnd),
        Row("a comma at the end of an object", #"{"a":1,}"#, .unexpectedByte(offset: 7)),
        Row("a name without quotation marks", "{a:1}", .unexpectedByte(offset: 1)),
        Row("apostrophes", "'a'", .unexpectedByte(offset: 0)),
        Row("a name without a value", #"{"a"}"#, .unexpectedByte(offset: 4)),
        Row("an equals sign", #"{"a"=1}"#, .unexpectedByte(offset: 4)),
        Row("an open string in an array", #"["plain"#, .unexpectedEnd),
        Row("a control character after plain text", "[\"plain\u{1F}\"]", .unexpectedByte(offset: 7)),
        Row("invalid UTF-8 after plain text", [0x22, 0x61, 0xC3, 0x22], .notUTF8),
        Row("a duplicate member", #"{"a":1,"b":2,"a":1}"#, .duplicateMember(offset: 13)),
        Row("a duplicate member, once with an escape", #"{"a":1,"\u0061":2}"#, .duplicateMember(offset: 7)),
        Row("a duplicate nested member", #"[{"x":{"a":1,"a":2}}]"#, .duplicateMember(offset: 13)),
        Row("an open string", #""a"#, .unexpectedEnd),
        Row("an escaped quotation mark at the end", #""a\""#, .unexpectedEnd),
        Row("a line break in a string", "\"a\nb\"", .unexpectedByte(offset: 2)),
        Row("NUL in a string", "\"\u{0}\"", .unexpectedByte(offset: 1)),
        Row("an invalid escape", #""\x41""#, .unexpectedByte(offset: 2)),
        Row("an escape in upper case", #""\N""#, .unexpectedByte(offset: 2)),
        Row("an escape with three digits", #""\u041""#, .unexpectedByte(offset: 6)),
        Row("an escape with a sign", #""\u+041""#, .unexpectedByte(offset: 3)),
        Row("a truncated escape", #""\u00"#, .unexpectedEnd),
        Row("a lone leading surrogate", #""\uD83D""#, .unexpectedByte(offset: 3)),
        Row("a leading surrogate before a letter", #""\uD83D\u0041""#, .unexpectedByte(offset: 3)),
        Row("two leading surrogates", #""\uD83D\uD83D""#, .unexpectedByte(offset: 3)),
        Row("a lone trailing surrogate", #""\uDE00""#, .unexpectedByte(offset: 3)),
        Row("an invalid UTF-8 byte", [0x22, 0xFF, 0x22], .notUTF8),
        Row("an overlong slash", [0x22, 0xC0, 0xAF, 0x22], .notUTF8),
        Row("a surrogate in UTF-8", [0x22, 0xED, 0xA0, 0x80, 0x22], .notUTF8),
        Row("UTF-8 truncated by an escape", [0x22, 0xC3, 0x5C, 0x6E, 0x22], .notUTF8),
        Row("a name that is not UTF-8", [0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D], .notUTF8),
        Row("65 arrays", String(repeating: "[", count: 65) + String(repeating: "]", count: 65), .tooDeep(limit: 64)),
        Row("65 objects and arrays", String(repeating: #"[{"a":"#, count: 33), .tooDeep(limit: 64)),
    ]

    @Test(arguments: refused)
    func `rejects anything but strict JSON, and reports the position`(row: Row) {
        #expect(throws: row.expected) { try JSONValue(strict: row.bytes) }
    }

    @Test func `parses nesting up to its limit`() throws {
        let text = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        #expect(try JSONValue(strict: text.utf8).array?.count == 1)
        #expect(throws: JSONError.tooDeep(limit: 2)) { try JSONValue(strict: "[[[]]]".utf8, maximumDepth: 2) }
        #expect(try JSONValue(strict: "1".utf8, maximumDepth: 0) == 1)
    }

    @Test func `parses many open brackets quickly`() {
        let text = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
        #expect(throws: JSONError.tooDeep(limit: 64)) { try JSONValue(strict: text) }
    }

    @Test(
        arguments: [
            (" { \"a\" : [ 1 , true , null , \"x\" ] } \r\n\t", ["a": [1, true, nil, "x"]]),
            ("{}", [:]), ("[]", []), ("\"\"", ""), ("false", false), ("[[],{}]", [[], [:]]),
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
            (#""\u00e9\u00E9\ud83d\uDE00\u0000""#, "éé😀\u{0}"),
            (#""a\u0062c\u0064e""#, "abcde"),
            ("\"\u{7F}\u{2028}é😀\"", "\u{7F}\u{2028}é😀"),
            (#"{"":1,"a b":{"":2}}"#, ["": 1, "a b": ["": 2]]),
        ] as [(String, JSONValue)])
    func `parses strict JSON`(text: String, expected: JSONValue) throws {
        #expect(try JSONValue(strict: text.utf8) == expected)
    }

    @Test(arguments: [1, 31, 32, 33, 34, 100])
    func `rejects a duplicate member among any number of members`(count: Int) throws {
        let members = (0..<count).map { "\"m\($0)\":\($0)" }
        #expect(try JSONValue(strict: "{\(members.joined(separator: ","))}".utf8).object?.members.count == count)
        for member in Set([members[0], members[count / 2], members[count - 1]]) {
            let text = "{\((members + [member]).joined(separator: ","))}"
            let offset = text.utf8.count - member.utf8.count - 1
            #expect(throws: JSONError.duplicateMember(offset: offset)) { try JSONValue(strict: text.utf8) }
        }
    }

    @Test(arguments: [
        ("", ""), ("claim_name_of_", ""), ("claim_name_of_1", ""), ("clai", "n"), ("clai", "ame"), ("claim_", "_with_a_long_name"),
    ])
    func `distinguishes names with the same length and the same first and last bytes`(prefix: String, suffix: String) throws {
        let names = (10..<40).map { "\(prefix)\($0)\(suffix)" }
        let members = names.map { #""\#($0)":"\#($0)""# }
        let object = try #require(JSONValue(strict: "{\(members.joined(separator: ","))}".utf8).object)
        #expect(object.members.map(\.name) == names)
        #expect(names.allSatisfy { object[$0]?.string == $0 })
        for member in members {
            let text = "{\(members.joined(separator: ",")),"
            #expect(throws: JSONError.duplicateMember(offset: text.utf8.count)) { try JSONValue(strict: (text + member + "}").utf8) }
        }
    }

    @Test(arguments: [
        ("", ""), (" ~\u{7F}", " ~\u{7F}"), ("aé", "aé"), (#"a\u00e9b"#, "aéb"), (#"plain\"quote"#, #"plain"quote"#), (#"\\"#, #"\"#),
    ])
    func `reads strings with and without escapes`(written: String, read: String) throws {
        #expect(try JSONValue(strict: #"["\#(written)","x"]"#.utf8) == [.string(read), "x"])
    }

    @Test(arguments: [("\\n", "\n"), ("\\\"", "\""), ("é", "é"), ("\u{7F}", "\u{7F}"), ("!", "!"), ("[]", "[]"), ("#", "#")])
    func `reads a character at any place in a string`(written: String, read: String) throws {
        for (before, after) in (0..<20).flatMap({ before in (0..<10).map { (before, $0) } }) {
            let (start, end) = (String(repeating: "a", count: before), String(repeating: "~", count: after))
            #expect(try JSONValue(strict: "\"\(start)\(written)\(end)\"".utf8) == .string(start + read + end))
        }
    }

    @Test(arguments: [0x00, 0x0A, 0x1F, 0x80, 0xFF] as [UInt8])
    func `rejects a control character or invalid UTF-8 at any place in a string`(byte: UInt8) throws {
        for (before, after) in (0..<20).flatMap({ before in (0..<10).map { (before, $0) } }) {
            let text = [0x22] + Array(repeating: 0x20, count: before) + [byte] + Array(repeating: 0x20, count: after) + [0x22]
            #expect(throws: byte < 0x20 ? JSONError.unexpectedByte(offset: before + 1) : .notUTF8) { try JSONValue(strict: text) }
        }
    }

    @Test func `parses an object with very many members quickly`() throws {
        let members = (0..<90_000).map { "\"\($0)\":0" }
        #expect(try JSONValue(strict: "{\(members.joined(separator: ","))}".utf8).object?.members.count == 90_000)
    }

    @Test func `names that only look alike are different members`() throws {
        let value = try JSONValue(strict: "{\"\u{E9}\":1,\"e\u{301}\":2,\"\u{212A}\":3,\"K\":4}".utf8)
        #expect(value["\u{E9}"] == 1)
        #expect(value["e\u{301}"] == 2)
        #expect(value["K"] == 4)
        #expect(value["\u{212A}"] == 3)
        var object = try #require(value.object)
        object["K"] = nil
        object["e\u{301}"] = 5
        #expect(object.members.map(\.value) == [1, 5, 3])
        #expect(JSONValue.string("\u{E9}") != .string("e\u{301}"))
    }

    struct NumberRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let int64: Int64?
        let double: Double

        init(_ text: String, _ int64: Int64?, _ double: Double) {
            testDescription = text
            self.int64 = int64
            self.double = double
        }
    }

    @Test(arguments: [
        NumberRow("0", 0, 0), NumberRow("-0", 0, 0), NumberRow("3600", 3600, 3600), NumberRow("3600.0", 3600, 3600),
        NumberRow("3.6e3", 3600, 3600), NumberRow("36E+2", 3600, 3600), NumberRow("1.5", nil, 1.5), NumberRow("-7", -7, -7),
        NumberRow("1e400", nil, .infinity), NumberRow("-1e400", nil, -.infinity), NumberRow("1e-400", 0, 0),
        NumberRow("9223372036854775807", .max, 0x1p63), NumberRow("-9223372036854775808", .min, -0x1p63),
        NumberRow("9223372036854775808", nil, 0x1p63), NumberRow("9007199254740993.0", nil, 0x1p53),
    ])
    func `a number keeps its text, and converts to an integer only without loss`(row: NumberRow) throws {
        let number = try #require(try JSONValue(strict: row.testDescription.utf8).number)
        #expect(number.text == row.testDescription)
        #expect(number.int64 == row.int64)
        #expect(number.double == row.double)
    }
}
