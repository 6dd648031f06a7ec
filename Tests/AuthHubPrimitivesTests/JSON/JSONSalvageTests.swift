import AuthHubPrimitives
import Testing

struct JSONSalvageTests {
    @Test(arguments: [
        ("strict JSON", #"{"a":1,"b":"x"}"#, ["a", "b"]),
        ("bytes after it", #"{"a":1,"b":"x"}}<!-- -->"#, ["a", "b"]),
        ("bytes before it", "\u{FEFF}Warning: x\n{\"a\":1,\"b\":\"x\"}", ["a", "b"]),
        ("truncated in a value", #"{"a":1,"b":"x","c":"half"#, ["a", "b"]),
        ("truncated in a name", #"{"a":1,"b":"x","c"#, ["a", "b"]),
        ("a control character", "{\"a\":\"1\n2\",\"b\":\"x\"}", ["a", "b"]),
        ("a duplicate nested name", #"{"a":{"x":1,"x":2},"b":"x"}"#, ["a", "b"]),
        ("no comma", #"{"a":1 "b":"x"}"#, ["a"]),
        ("too deep", #"{"a":1,"b":"# + String(repeating: "[", count: 200), ["a"]),
        ("no object", "[1,2]", []),
        ("nothing", "", []),
    ])
    func `returns the members before unreadable text`(description: String, text: String, names: [String]) {
        #expect(JSONObject(salvaging: Array(text.utf8)).members.map(\.name) == names)
    }

    @Test func `uses the last of several members with the same name`() {
        #expect(JSONObject(salvaging: Array(#"{"a":"1","a":"2"}"#.utf8))["a"] == "2")
    }

    @Test func `repairs invalid UTF-8`() {
        let bytes = Array("{\"name\":\"Andr".utf8) + [0xE9] + Array("\",\"a\":\"1\"}".utf8)
        #expect(JSONObject(salvaging: bytes)["a"] == "1")
    }

    @Test func `reads no more members than requested`() {
        let text = "{" + (0..<1000).map { "\"m\($0)\":0" }.joined(separator: ",") + "}"
        #expect(JSONObject(salvaging: Array(text.utf8)).members.count == 100)
    }
}
