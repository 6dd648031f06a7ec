import AuthHubPrimitives
import Testing

@testable import ModelContextProxy

struct RemoteHeadersTests {
    @Test(arguments: [
        ("us-west1", "us-west1"), ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="), (" padded ", "=?base64?IHBhZGRlZCA=?="),
        ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="), ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
        ("", "=?base64??="), ("a b", "a b"), ("a\r\nX-Evil: 1", "=?base64?YQ0KWC1FdmlsOiAx?="),
    ])
    func `a value never breaks the header`(text: String, encoded: String) {
        #expect(RemoteHeaders.encoded(text) == encoded)
    }

    private static func message(_ text: String) throws -> RemoteMessage {
        try #require(RemoteMessage.messages(in: Array(text.utf8)).first).get()
    }

    @Test func `the method and the name of what is called are repeated`() throws {
        let call = try Self.message(#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look up","arguments":{}}}"#)
        #expect(
            RemoteHeaders.fields(for: call, ToolParameters()).map { "\($0.name): \($0.value)" } == [
                "Mcp-Method: tools/call", "Mcp-Name: look up",
            ])
        let read = try Self.message(#"{"jsonrpc":"2.0","id":"a","method":"resources/read","params":{"uri":"file:///a"}}"#)
        #expect(RemoteHeaders.fields(for: read, ToolParameters()).map(\.value) == ["resources/read", "file:///a"])
        let list = try Self.message(#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"name":"x"}}"#)
        #expect(RemoteHeaders.fields(for: list, ToolParameters()).map(\.name) == ["Mcp-Method"])
    }

    @Test func `annotated parameters are repeated, and tools with annotations that cannot be are left out`() throws {
        let schema =
            #"{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},"deep":{"type":"object","properties":{"n":{"type":"integer","x-mcp-header":"Count"}}},"q":{"type":"string"}}}"#
        let bad = [
            #"{"properties":{"a":{"type":"number","x-mcp-header":"A"}}}"#, #"{"properties":{"a":{"type":"string","x-mcp-header":""}}}"#,
            #"{"properties":{"a":{"type":"string","x-mcp-header":"A b"}}}"#, #"{"items":{"type":"string","x-mcp-header":"A"}}"#,
            #"{"oneOf":[{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}]}"#,
            #"{"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"}}}"#,
        ]
        let tools = [#"{"name":"good","inputSchema":\#(schema)}"#] + bad.enumerated().map { #"{"name":"bad\#($0)","inputSchema":\#($1)}"# }
        var parameters = ToolParameters()
        let response = #"{"jsonrpc":"2.0","id":1,"result":{"tools":[\#(tools.joined(separator: ","))]}}"#
        let accepted = parameters.accept(Array(response.utf8))
        let changed = try #require(accepted)
        #expect(changed.rejected == bad.indices.map { "bad\($0)" })
        #expect(try JSONValue(strict: changed.response)["result"]?["tools"]?.array?.count == 1)
        let call = try Self.message(
            #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"good","arguments":{"region":"eu","deep":{"n":-7},"q":"x"}}}"#)
        #expect(
            RemoteHeaders.fields(for: call, parameters).dropFirst(2).map { "\($0.name): \($0.value)" }
                == ["Mcp-Param-Region: eu", "Mcp-Param-Count: -7"])
        let less = try Self.message(#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"good","arguments":{"region":null}}}"#)
        #expect(RemoteHeaders.fields(for: less, parameters).count == 2)
    }

    private static func nested(_ depth: Int, _ inner: String) -> String {
        String(repeating: #"{"properties":{"a":"#, count: depth) + inner + String(repeating: "}}", count: depth)
    }

    @Test(arguments: [
        ("many levels", nested(50, #"{"type":"string","x-mcp-header":"A"}"#), Array(repeating: "a", count: 50)),
        ("members in another order", #"{ "properties" : { "a" : { "x-mcp-header" : "A" , "type" : "boolean" } } , "type" : [ ] }"#, ["a"]),
        ("the last of repeated members", #"{"properties":{"a":{"type":"x","x-mcp-header":7,"type":"string","x-mcp-header":"A"}}}"#, ["a"]),
        ("an escaped name", #"{"properties":{"a":{"type":"string","x-mcp-\u0068eader":"A"}}}"#, ["a"]),
        ("a property with the name of the annotation", #"{"properties":{"x-mcp-header":{"type":"string"}}}"#, []),
        ("a type and properties that are no such thing", #"{"properties":[{}],"type":{"type":[]}}"#, []),
    ])
    func `a schema is read at any depth, in any order`(description: String, schema: String, path: [String]) throws {
        var parameters = ToolParameters()
        let response = #"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"t","inputSchema":\#(schema)}]}}"#
        #expect(parameters.accept(Array(response.utf8)) == nil)
        let arguments = path.reversed().reduce(path.isEmpty ? "{}" : "true") { #"{"\#($1)":\#($0)}"# }
        let call = try Self.message(
            #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":\#(arguments)}}"#)
        #expect(RemoteHeaders.fields(for: call, parameters).dropFirst(2).map(\.value) == (path.isEmpty ? [] : ["true"]))
    }

    @Test(arguments: [
        ("65 levels", String(repeating: "[", count: 65) + String(repeating: "]", count: 65)),
        ("deep properties", nested(70, #"{"type":"string","x-mcp-header":"A"}"#)),
        ("a type that is repeated as an array", #"{"properties":{"a":{"type":"string","type":["string"],"x-mcp-header":"A"}}}"#),
        ("an annotation of the whole schema", #"{"x-mcp-header":"A","type":"string"}"#),
    ])
    func `a tool is left out if its schema is too deep, or annotated as a whole`(description: String, schema: String) throws {
        var parameters = ToolParameters()
        let response = #"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"t","inputSchema":\#(schema)}]}}"#
        let accepted = parameters.accept(Array(response.utf8))
        #expect(try #require(accepted).rejected == ["t"])
    }
}
