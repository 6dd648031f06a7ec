import AuthHubPrimitives
import Testing

@testable import ModelContextProxy

struct MessageTextTests {
    private static let nested = String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let result: String
    }

    @Test(arguments: [
        Row(testDescription: "the second half of a surrogate pair", result: #""a\udC00b""#),
        Row(testDescription: "the first half in a name", result: #"{"\ud83D":1}"#),
        Row(testDescription: "a member three times", result: #"{"a":1,"a":{},"a":[]}"#),
        Row(testDescription: "5000 levels", result: nested),
        Row(testDescription: "an escaped quotation mark and brackets in a string", result: #""\"}]\\""#),
    ])
    func `MC31: a response is passed on as it is`(row: Row) throws {
        let text = #"{"jsonrpc":"2.0", "id":7,"result":\#(row.result)}"#
        let id = try #require(MessageID(MessageText(Array("7".utf8))))
        let message = try #require(ServerMessage.messages(in: Array(text.utf8))?.first)
        #expect(message.bytes(answering: id).map { String(decoding: $0, as: UTF8.self) } == text)
        let withMark = try #require(ServerMessage.messages(in: [0xEF, 0xBB, 0xBF] + Array(text.utf8))?.first)
        #expect(withMark.bytes(answering: id).map { String(decoding: $0, as: UTF8.self) } == text)
    }

    @Test(arguments: [#""\q""#, #""\u+123""#, #""\u12""#, "\"\\\n\"", #""\"#])
    func `MC31: text that is not JSON is not a message`(result: String) {
        #expect(ServerMessage.messages(in: Array(#"{"jsonrpc":"2.0","id":7,"result":\#(result)}"#.utf8)) == nil)
    }

    @Test func `MC31: an array may have at most 1000 messages`() {
        for (count, isRead) in [(1000, true), (1001, false)] {
            let text = "[" + Array(repeating: "{}", count: count).joined(separator: ",") + "]"
            #expect((ServerMessage.messages(in: Array(text.utf8)) != nil) == isRead)
        }
    }

    @Test(arguments: [
        ("7", #""7""#, true), (#""7""#, "7", true), ("7", "7.0", true), (#""a""#, #""\u0061""#, true), ("7", "8", false),
        ("7", "null", false),
        (#""7""#, #""07""#, false), ("9007199254740993", "9007199254740992", false), ("9007199254740993", "9007199254740993", true),
        ("9007199254740992", "9007199254740993.0", false),
    ])
    func `MC31: a response whose ID has another JSON type is the response, and gets the ID of the request`(
        request: String, response: String, isSame: Bool
    ) throws {
        let id = try #require(MessageID(MessageText(Array(request.utf8))))
        let text = #"{"id":\#(response),"jsonrpc":"2.0","result":{}}"#
        let answer = ServerMessage.messages(in: Array(text.utf8))?.first?.bytes(answering: id)
        #expect(answer.map { String(decoding: $0, as: UTF8.self) } == (isSame ? #"{"id":\#(request),"jsonrpc":"2.0","result":{}}"# : nil))
    }

    @Test(arguments: ["null", "1"])
    func `an error about the whole request gets the ID of the request`(id: String) throws {
        let request = try #require(MessageID(MessageText(Array("1".utf8))))
        for text in [#"{"jsonrpc":"2.0","error":{"code":-1},"id":\#(id)}"#, #"{"jsonrpc":"2.0","error":{"code":-1}}"#] {
            let answer = try #require(ServerMessage.messages(in: Array(text.utf8))?.first?.bytes(answering: request))
            #expect(try JSONValue(strict: answer)["id"] == 1)
        }
    }

    @Test(arguments: [
        ("nonsense", -32700, "null"), ("", -32700, "null"), ("[]", -32600, "null"), ("{}", -32600, "null"), ("7", -32600, "null"),
        (#"{"jsonrpc":"1.0","id":1,"method":"a"}"#, -32600, "1"), (#"{"jsonrpc":"2.0","id":"x"}"#, -32600, #""x""#),
        (#"{"jsonrpc":"2.0","id":{},"method":"a"}"#, -32600, "null"),
        (#"{"jsonrpc":"2.0","params":{"id":3,"a":"\"id\":4"},"id": 5 ,"method":"#, -32700, "5"),
        (#"{"id":"six","params":{"a":tru}}"#, -32700, #""six""#), (#"{"method":"a","id":12"#, -32700, "null"),
    ])
    func `MC32: a message that cannot be read is an error with its own ID`(line: String, code: Int64, id: String) throws {
        guard case .failure(let unreadable)? = RemoteMessage.messages(in: Array(line.utf8)).first else {
            Issue.record("the line was accepted")
            return
        }
        let reply = try JSONValue(strict: unreadable.reply)
        #expect(reply["error"]?["code"]?.number?.int64 == code)
        #expect(try reply["id"] == JSONValue(strict: Array(id.utf8)))
    }

    @Test func `the messages of an array are sent one by one`() {
        let line = #"[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","method":"b"},3]"#
        let methods = RemoteMessage.messages(in: Array(line.utf8)).map { try? $0.get().method }
        #expect(methods == ["a", "b", nil])
    }

    @Test(arguments: [
        (#""a\ud83d\ude00b""#, "a😀b"), (#""\ud83d""#, "\u{FFFD}"), (#""\ude00\ud83d""#, "\u{FFFD}\u{FFFD}"), (#""\n\/\u0041""#, "\n/A"),
    ])
    func `text that is not Unicode becomes U+FFFD only if it is read`(json: String, text: String) {
        #expect(MessageText(Array(json.utf8))?.string == text)
    }

    @Test(arguments: ["{", "[1,]", #"{"a":1,}"#, #"{"a" 1}"#, "[1}", #""a"#, #""\"#, "1 2", "tru", "-", "\"\u{1}\"", "{1:2}", "[,1]"])
    func `what is not JSON is not a message`(text: String) { #expect(MessageText(Array(text.utf8)) == nil) }
}
