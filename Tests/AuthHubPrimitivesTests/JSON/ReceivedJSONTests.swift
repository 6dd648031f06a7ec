@testable import AuthHubPrimitives
import Testing

struct ReceivedJSONTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let shown: String

        init(_ testDescription: String, _ text: String, _ shown: String) {
            self.init(testDescription, Array(text.utf8), shown)
        }

        init(_ testDescription: String, _ bytes: [UInt8], _ shown: String) {
            self.testDescription = testDescription
            self.bytes = bytes
            self.shown = shown
        }
    }

    static let rows = [
        Row("a leading surrogate at the end", #""Bob \ud83d""#, "Bob \u{FFFD}"),
        Row("a trailing surrogate", #""\uDE00!""#, "\u{FFFD}!"),
        Row("a leading surrogate before a letter", #""\uD83D\u0041""#, "\u{FFFD}A"),
        Row("a leading surrogate before a pair", #""\uD83D\uD83D\uDE00""#, "\u{FFFD}\u{1F600}"),
        Row("a leading surrogate before another escape", #""\uD83D\n""#, "\u{FFFD}\n"),
        Row("ISO 8859-1", [0x22, 0x64, 0xE9, 0x6A, 0xE0, 0x22], "d\u{FFFD}j\u{FFFD}"),
        Row("truncated UTF-8", [0x22, 0xF0, 0x9F, 0x98, 0x22], "\u{FFFD}"),
    ]

    @Test(arguments: rows)
    func `a string that cannot be decoded is only for display`(row: Row) throws {
        let value = try JSONValue(received: row.bytes)
        #expect(value.string == nil)
        #expect(value.displayString == row.shown)
        #expect(value != .string(row.shown) && value == .repairedString(row.shown))
        #expect(throws: JSONError.self) { try JSONValue(strict: row.bytes) }
        let written = try JSONValue(strict: value.serialized())
        #expect(written.string == row.shown)
    }

    @Test(arguments: rows)
    func `a member name that cannot be decoded is an error`(row: Row) {
        #expect(throws: JSONError.self) { try JSONValue(received: [0x7B] + row.bytes + Array(":1}".utf8)) }
    }

    @Test(arguments: [#""\ud83d\u12""#, #""\ud83d\x""#, "\"a\nb\"", "\"\\ud83d"])
    func `everything else is as strict as before`(text: String) {
        #expect(throws: JSONError.self) { try JSONValue(received: text.utf8) }
    }

    @Test func `secrets in a repaired string are redacted`() throws {
        let value = try JSONValue(received: #"{"a":"s3cr3t-value \ud83d"}"#.utf8)
        let shown = Redaction(["s3cr3t-value"]).applied(to: value)
        #expect(shown["a"]?.displayString?.contains("s3cr3t") == false)
    }

    @Test func `a byte order mark is ignored, but only one, at the beginning`() throws {
        #expect(try JSONValue(received: "\u{FEFF} {}".utf8) == [:])
        #expect(throws: JSONError.self) { try JSONValue(received: "\u{FEFF}\u{FEFF}{}".utf8) }
        #expect(throws: JSONError.self) { try JSONValue(received: " \u{FEFF}{}".utf8) }
    }

    @Test(arguments: ["[1,[2,{}]]", #"{"a":{"b":1},"c":2}"#])
    func `the number of values is limited`(text: String) throws {
        #expect(throws: JSONError.tooManyValues(limit: 3)) { try JSONValue(received: text.utf8, maximumValues: 3) }
        _ = try JSONValue(received: text.utf8, maximumValues: 5)
    }

    @Test func `strict JSON has a limit, too`() {
        let text = "[" + String(repeating: "{},", count: JSONValue.maximumValues) + "0]"
        #expect(throws: JSONError.tooManyValues(limit: JSONValue.maximumValues)) { try JSONValue(strict: text.utf8) }
    }

    /// Building such an object by name would take hours.
    @Test func `builds an object of many members in linear time`() {
        let members = (0..<500_000).map { ("m\($0)", JSONValue.null) }
        let object = JSONObject(members + [("m7", true)])
        #expect(object.members.count == 500_000 && object.members[7].value == true)
        #expect(Redaction(["secret"]).applied(to: object).members.count == 500_000)
        #expect(object.merging([]).members.count == 500_000)
    }

    @Test func `small objects reserve no memory for more members`() throws {
        let value = try JSONValue(received: #"[{"a":1}]"#.utf8)
        #expect(value.array?[0].object?.members.capacity ?? 4 < 4)
    }
}
