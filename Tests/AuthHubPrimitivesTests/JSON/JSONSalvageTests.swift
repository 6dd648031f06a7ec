import AuthHubPrimitives
import Testing

struct JSONSalvageTests {
    @Test(arguments: [
        ("strict JSON", #"{"a":1,"b":"x"}"#, ["a", "b"]),
        ("bytes after it", #"{"a":1,"b":"x"}}<!-- -->"#, ["a", "b"]),
        ("bytes before it", "\u{FEFF}Warning: x\n{\"a\":1,\"b\":\"x\"}", ["a", "b"]),
        ("cut off in a value", #"{"a":1,"b":"x","c":"half"#, ["a", "b"]),
        ("cut off in a name", #"{"a":1,"b":"x","c"#, ["a", "b"]),
        ("a control character", "{\"a\":\"1\n2\",\"b\":\"x\"}", ["a", "b"]),
        ("a name twice, deeper", #"{"a":{"x":1,"x":2},"b":"x"}"#, ["a", "b"]),
        ("no comma", #"{"a":1 "b":"x"}"#, ["a"]),
        ("too deep", #"{"a":1,"b":"# + String(repeating: "[", count: 200), ["a"]),
        ("no object", "[1,2]", []),
        ("nothing", "", []),
    ])
    func `the members in front of what cannot be read are there`(description: String, text: String, names: [String]) {
        #expect(JSONObject(salvaging: Array(text.utf8)).members.map(\.name) == names)
    }

    @Test func `of a name that occurs twice the last member counts`() {
        #expect(JSONObject(salvaging: Array(#"{"a":"1","a":"2"}"#.utf8))["a"] == "2")
    }

    @Test func `bad UTF-8 is repaired`() {
        let bytes = Array("{\"name\":\"Andr".utf8) + [0xE9] + Array("\",\"a\":\"1\"}".utf8)
        #expect(JSONObject(salvaging: bytes)["a"] == "1")
    }

    @Test func `no more members are read than asked for`() {
        let text = "{" + (0..<1000).map { "\"m\($0)\":0" }.joined(separator: ",") + "}"
        #expect(JSONObject(salvaging: Array(text.utf8)).members.count == 100)
    }
}
