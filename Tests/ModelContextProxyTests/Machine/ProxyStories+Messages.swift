@testable import ModelContextProxy

extension ProxyStory {
    /// Messages of the host and the server, in any form, and cancelled requests.
    static let messages: [Self] = [
        Self(
            "a response is passed on as it is",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 200 json {"result":{"a":1,"a":2,"t":"\ud83d"}, "id":1,"jsonrpc":"2.0"}
            > write {"result":{"a":1,"a":2,"t":"\ud83d"}, "id":1,"jsonrpc":"2.0"}
            """#),
        Self(
            "the ID of a response gets the type that the request had",
            #"""
            host ping#"7"
            > 1 POST 86400s ping#"7"
            1 200 json ok#7
            > write ok#"7"
            host ping#8
            > 2 POST 86400s ping#8
            2 200 json ok#"8"
            > write ok#8
            """#),
        Self(
            "an error about the whole request gets its ID",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 500 json error#null(-32603 broken)
            > write error#1(-32603 broken)
            """#),
        Self(
            "a response in a failed HTTP response is passed on",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 500 json error#1(-32603 broken)
            > write error#1(-32603 broken)
            """#),
        Self(
            "a body that is not a JSON-RPC message is an error",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 200 json <p>
            > write error#1(-32000 the server's response is not a JSON-RPC message; next: report this to the server's operator)
            host ping#2
            > 2 POST 86400s ping#2
            2 200 json
            > write error#2(-32000 the server's response is not a JSON-RPC message; next: report this to the server's operator)
            """#),
        Self(
            "a body without a response is an error, after its messages",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 200 json notifications/a
            > write notifications/a
            > write error#1(-32000 the server's response is not a JSON-RPC message; next: report this to the server's operator)
            """#),
        Self(
            "the response to another request is an error",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 200 json ok#2
            > write error#1(-32000 the server returned the response to another request; next: report this to the server's operator)
            """#),
        Self(
            "the messages of an array from the server are passed on one by one, its requests first",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 200 json [{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","method":"notifications/a"},{"jsonrpc":"2.0","id":2,"result":{}}]
            > write notifications/a
            > write ok#1
            """#),
        Self(
            "the messages of an array from the host are sent one by one",
            #"""
            host [{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","method":"b"},3]
            > 1 POST 86400s a#1
            > 2 POST 60s b
            > write error#null(-32600 the message is not a JSON-RPC 2.0 message)
            """#),
        Self(
            "MC32: a line that is not JSON, or too long, is an error with its ID",
            #"""
            host {"id":3,"a":
            > write error#3(-32700 the line is not JSON)
            host writes too much#7
            > write error#7(-32600 the message is longer than 64 MiB)
            """#),
        Self(
            "a response of the host is sent, and its rejection is reported",
            #"""
            host ok#"server-1"
            > 1 POST 60s ok#"server-1"
            1 202
            > close 1
            host ok#"server-2"
            > 2 POST 60s ok#"server-2"
            2 404
            > report the server responded 404 Text; next: check the URL
            > close 2
            """#),
        Self(
            "a notification that cannot be sent is reported",
            #"""
            host notifications/a
            > 1 POST 60s notifications/a
            1 lost
            > report the connection was lost; next: wait
            """#),
        Self(
            "a body that breaks off is an error",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 200
            1 lost
            > write error#1(-32000 the connection was lost; next: wait)
            """#),
        Self(
            "a status without a response is an error, with the command that shows it if there is an account",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 503 by=a json
            > write error#1(-32000 the server responded 503 Text; next: check the URL; authhub request -i https://mcp.example/mcp --json MESSAGE shows the whole response)
            """#),
        Self(
            "events of an earlier request are ignored",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 401 Bearer
            > close 1
            > sign in: Bearer
            1.1 lost
            sign-in done
            > 1 POST 86400s ping#1
            1.1 lost
            1.1 data ok#1
            1 200 json ok#1
            > write ok#1
            1 lost
            """#),
        Self(
            "cancelling a request of 2026-07-28 ends its connection, without a message to the server",
            #"""
            host ping#1(modern)
            > 1 POST 86400s ping#1(modern) revision=2026-07-28 Mcp-Method=ping
            host notifications/cancelled({"requestId":1})
            > close 1
            1 lost
            """#),
        Self(
            "cancelling a request before 2026-07-28 also tells the server, if it may have the request", in: .session,
            #"""
            host ping#1
            > 4 POST 86400s ping#1 session=s revision=2025-11-25
            host notifications/cancelled({"requestId":1})
            > close 4
            > 5 POST 60s notifications/cancelled({"requestId":1}) session=s revision=2025-11-25
            """#),
        Self(
            "a request that was not sent is cancelled without a message to the server", in: .session,
            #"""
            host ping#1
            > 4 POST 86400s ping#1 session=s revision=2025-11-25
            4 401 Bearer
            > close 4
            > sign in: Bearer
            host notifications/cancelled({"requestId":1})
            sign-in done
            """#),
        Self(
            "a request that waits for a new session is cancelled without a message to the server", in: .session,
            #"""
            host ping#1
            > 4 POST 86400s ping#1 session=s revision=2025-11-25
            4 404
            > close 4
            > 5 POST 60s initialize#"own-1"
            host notifications/cancelled({"requestId":1})
            5 200 json ok#"own-1"
            > 6 POST 60s notifications/initialized revision=2025-11-25
            6 202
            > close 6
            > 7 GET 86400s revision=2025-11-25
            """#),
        Self(
            "a request that waits for the handshake is cancelled without a message to the server", in: .session,
            #"""
            host initialize#9
            > 4 POST 86400s initialize#9
            host ping#1
            host notifications/cancelled({"requestId":1})
            4 200 session=t json ok#9
            > write ok#9
            """#),
        Self(
            "the cancellation of a request that has ended is sent only before 2026-07-28", in: .session,
            #"""
            host notifications/cancelled({"requestId":1})
            > 4 POST 60s notifications/cancelled({"requestId":1}) session=s revision=2025-11-25
            """#),
        Self(
            "the cancellation of an unknown request is ignored if no revision was negotiated",
            #"""
            host notifications/cancelled({"requestId":1})
            """#),
        Self(
            "a cancellation without an ID is a notification like others",
            #"""
            host notifications/cancelled({})
            > 1 POST 60s notifications/cancelled({})
            """#),
        Self(
            "the proxy's own requests cannot be cancelled", in: .session,
            #"""
            host ping#1
            > 4 POST 86400s ping#1 session=s revision=2025-11-25
            4 404
            > close 4
            > 5 POST 60s initialize#"own-1"
            host notifications/cancelled({"requestId":"own-1"})
            """#),
        Self(
            "a cancelled initialize lets the other messages go on",
            #"""
            host initialize#0
            > 1 POST 86400s initialize#0
            host ping#1
            host notifications/cancelled({"requestId":0})
            > close 1
            > 2 POST 86400s ping#1
            """#),
        Self(
            "a call of 2026-07-28 repeats its method and the name of the tool",
            #"""
            host tools/call#1(modern)
            > 1 POST 86400s tools/call#1(modern) revision=2026-07-28 Mcp-Method=tools/call Mcp-Name=t
            """#),
        Self(
            "a call whose header fields the server rejects is sent again once the tool is listed",
            #"""
            host tools/call#1({"name":"t","arguments":{"r":"eu"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","progressToken":"p"}})
            > 1 POST 86400s tools/call#1({"name":"t","arguments":{"r":"eu"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","progressToken":"p"}}) revision=2026-07-28 Mcp-Method=tools/call Mcp-Name=t
            1 400 json error#1(-32020 a field is missing)
            > 2 POST 60s tools/list#"own-1"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}) revision=2026-07-28 Mcp-Method=tools/list
            2 200 json ok#"own-1"({"tools":[{"name":"u"}],"nextCursor":"c"})
            > 3 POST 60s tools/list#"own-2"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"},"cursor":"c"}) revision=2026-07-28 Mcp-Method=tools/list
            3 200 json ok#"own-2"({"tools":[{"name":"t","inputSchema":{"properties":{"r":{"type":"string","x-mcp-header":"R"}}}}],"nextCursor":"d"})
            > 1 POST 86400s tools/call#1({"name":"t","arguments":{"r":"eu"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","progressToken":"p"}}) revision=2026-07-28 Mcp-Method=tools/call Mcp-Name=t Mcp-Param-R=eu
            1 400 json error#1(-32020 still)
            > write error#1(-32020 still)
            """#),
        Self(
            "a call is sent again even if no page lists the tool",
            #"""
            host tools/call#1(modern)
            > 1 POST 86400s tools/call#1(modern) revision=2026-07-28 Mcp-Method=tools/call Mcp-Name=t
            1 400 json error#1(-32020 a field is missing)
            > 2 POST 60s tools/list#"own-1"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}) revision=2026-07-28 Mcp-Method=tools/list
            2 200 json ok#"own-1"({"tools":[]})
            > 1 POST 86400s tools/call#1(modern) revision=2026-07-28 Mcp-Method=tools/call Mcp-Name=t
            """#),
        Self(
            "tools that cannot be listed are an error of the call",
            #"""
            host tools/call#1(modern)
            > 1 POST 86400s tools/call#1(modern) revision=2026-07-28 Mcp-Method=tools/call Mcp-Name=t
            1 400 json error#1(-32020 a field is missing)
            > 2 POST 60s tools/list#"own-1"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}) revision=2026-07-28 Mcp-Method=tools/list
            2 500 json
            > write error#1(-32000 the server responded 500 Text; next: check the URL)
            """#),
        Self(
            "cancelling a call ends the listing for it",
            #"""
            host tools/call#1(modern)
            > 1 POST 86400s tools/call#1(modern) revision=2026-07-28 Mcp-Method=tools/call Mcp-Name=t
            1 400 json error#1(-32020 a field is missing)
            > 2 POST 60s tools/list#"own-1"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}) revision=2026-07-28 Mcp-Method=tools/list
            host notifications/cancelled({"requestId":1})
            > close 2
            """#),
        Self(
            "header fields are rejected only for calls of 2026-07-28",
            #"""
            host tools/call#1({"name":"t"})
            > 1 POST 86400s tools/call#1({"name":"t"})
            1 400 json error#1(-32020 a field is missing)
            > write error#1(-32020 a field is missing)
            host prompts/get#2(modern)
            > 2 POST 86400s prompts/get#2(modern) revision=2026-07-28 Mcp-Method=prompts/get Mcp-Name=t
            2 400 json error#2(-32020 a field is missing)
            > write error#2(-32020 a field is missing)
            host tools/call#3(modern)
            > 3 POST 86400s tools/call#3(modern) revision=2026-07-28 Mcp-Method=tools/call Mcp-Name=t
            3 400 json error#3(-32602 wrong)
            > write error#3(-32602 wrong)
            """#),
        Self(
            "a tool whose header fields cannot be sent is left out, with a warning, and calls repeat the parameters of the others",
            #"""
            host tools/list#1(modern)
            > 1 POST 86400s tools/list#1(modern) revision=2026-07-28 Mcp-Method=tools/list
            1 200 json ok#1({"tools":[{"name":"x","inputSchema":{"x-mcp-header":"A"}},{"name":"t"}]})
            > warn the tool x is left out: the header fields that it requires cannot be sent
            > write ok#1({"tools":[{"name":"t"}]})
            """#),
        Self(
            "the tools of earlier revisions are passed on as they are", in: .session,
            #"""
            host tools/list#1
            > 4 POST 86400s tools/list#1 session=s revision=2025-11-25
            4 200 json ok#1({"tools":[{"name":"x","inputSchema":{"x-mcp-header":"A"}}]})
            > write ok#1({"tools":[{"name":"x","inputSchema":{"x-mcp-header":"A"}}]})
            """#),
        Self(
            "a server of 2024-11-05 is named as such",
            #"""
            host initialize#0
            > 1 POST 86400s initialize#0
            1 405 json
            > 2 GET 5s
            2 200 sse
            2 bytes event: end
            2 bytes point\ndata: /messages
            > close 2
            > write error#0(-32000 this is an HTTP+SSE server of the MCP revision 2024-11-05, which the proxy does not support; next: ask the server's operator for the URL of its Streamable HTTP transport, which often ends with /mcp instead of /sse)
            """#),
        Self(
            "a server that is not of 2024-11-05 is probed in vain",
            #"""
            host initialize#0
            > 1 POST 86400s initialize#0
            1 404 json
            > 2 GET 5s
            2 404
            > close 2
            > write error#0(-32000 the server responded 404 Text; next: check the URL)
            host initialize#1
            > 3 POST 86400s initialize#1
            3 400 json
            > 4 GET 5s
            4 lost
            > write error#1(-32000 the server responded 400 Text; next: check the URL)
            host initialize#2
            > 5 POST 86400s initialize#2
            5 405 json
            > 6 GET 5s
            6 200 sse
            6 bytes event: message\n
            6 end
            > write error#2(-32000 the server responded 405 Text; next: check the URL)
            host initialize#3
            > 7 POST 86400s initialize#3
            7 405 json
            > 8 GET 5s
            8 202 sse
            > close 8
            > write error#3(-32000 the server responded 405 Text; next: check the URL)
            """#),
        Self(
            "the probe reads 4096 bytes at most",
            """
            host initialize#0
            > 1 POST 86400s initialize#0
            1 405 json
            > 2 GET 5s
            2 200 sse
            2 bytes \(String(repeating: "a", count: 4095))
            2 bytes a
            > close 2
            > write error#0(-32000 the server responded 405 Text; next: check the URL)
            """),
        Self(
            "only 400, 404 and 405 lead to a probe",
            #"""
            host initialize#0
            > 1 POST 86400s initialize#0
            1 406 json
            > write error#0(-32000 the server responded 406 Text; next: check the URL)
            """#),
        Self(
            "a server that has answered is not probed", in: .session,
            #"""
            host ping#1
            > 4 POST 86400s ping#1 session=s revision=2025-11-25
            4 405 json
            > write error#1(-32000 the server responded 405 Text; next: check the URL)
            """#),
        Self(
            "cancelling a message ends the probe for it",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 405 json
            > 2 GET 5s
            host notifications/cancelled({"requestId":1})
            > close 2
            """#),
        Self(
            "a message that is too large is an error", limits: ProxyMachine.Limits(message: 100, large: 50),
            """
            host ping#1
            > 1 POST 86400s ping#1
            1 200
            1 bytes \(String(repeating: "a", count: 100))
            1 bytes a
            > write error#1(-32000 the server sent a message of more than 0 MiB; next: request less)
            > close 1
            """),
        Self(
            "one large message at a time is read", limits: ProxyMachine.Limits(message: 1000, large: 10),
            """
            host ping#1
            > 1 POST 86400s ping#1
            host ping#2
            > 2 POST 86400s ping#2
            host ping#3
            > 3 POST 86400s ping#3
            host ping#4
            > 4 POST 86400s ping#4
            1 200
            1 bytes {"jsonrpc":"2.0",
            2 200
            2 bytes {"jsonrpc":"2.0",
            > wait until 300s
            3 200 json ok#3
            4 200
            4 bytes {"a":1,
            host notifications/cancelled({"requestId":3})
            > close 3
            1 bytes "id":1,"result":{}}
            1 end
            > write ok#1
            2 bytes "id":2,"result":{}}
            2 end
            > write ok#2
            """),
        Self(
            "a large message waits five minutes at most", limits: ProxyMachine.Limits(message: 1000, large: 10),
            """
            host ping#1
            > 1 POST 86400s ping#1
            host ping#2
            > 2 POST 86400s ping#2
            1 200
            1 bytes {"jsonrpc":"2.0",
            2 200
            2 bytes {"jsonrpc":"2.0",
            > wait until 300s
            at 300s
            2 bytes "id":2,"result":{}}
            2 end
            > write ok#2
            """),
        Self(
            "the next large message is read if the host cancels the first", limits: ProxyMachine.Limits(message: 1000, large: 10),
            """
            host ping#1
            > 1 POST 86400s ping#1
            host ping#2
            > 2 POST 86400s ping#2
            1 200
            1 bytes {"jsonrpc":"2.0",
            2 200
            2 bytes {"jsonrpc":"2.0",
            > wait until 300s
            host notifications/cancelled({"requestId":1})
            > close 1
            2 bytes "id":2,"result":{}}
            2 end
            > write ok#2
            """),
        Self("at most 100 pages of tools are read", manyPages),
    ]

    private static var manyPages: String {
        let call = "1 POST 86400s tools/call#1(modern) revision=2026-07-28 Mcp-Method=tools/call Mcp-Name=t"
        let revision = #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#
        let pages = (1...100).map { page in
            let cursor = page == 1 ? "" : #","cursor":"c""#
            return """
                > \(page + 1) POST 60s tools/list#"own-\(page)"({\(revision)\(cursor)}) revision=2026-07-28 Mcp-Method=tools/list
                \(page + 1) 200 json ok#"own-\(page)"({"tools":[],"nextCursor":"c"})
                """
        }
        return (["host tools/call#1(modern)", "> \(call)", "1 400 json error#1(-32020 a field is missing)"] + pages + ["> \(call)"])
            .joined(separator: "\n")
    }
}
