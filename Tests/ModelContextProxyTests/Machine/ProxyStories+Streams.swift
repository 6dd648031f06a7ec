@testable import ModelContextProxy

extension ProxyStory {
    /// Streams of events: responses, notifications, and streams that break off.
    static let streams: [Self] = [
        Self(
            "the messages before a response are passed on, and the rest of the stream is not read",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 200 sse
            1 data notifications/progress
            > write notifications/progress
            1 data sampling/createMessage#"s"
            > write sampling/createMessage#"s"
            1 data ok#1
            > write ok#1
            > close 1
            """#),
        Self(
            "the messages of an array in an event are passed on one by one, the response last",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 200 sse
            1 data [{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":1,"result":{"a":2}},{"jsonrpc":"2.0","method":"notifications/a"}]
            > write notifications/a
            > write ok#1
            > close 1
            """#),
        Self(
            "the response to another request is not passed on",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 200 sse
            1 data ok#2
            1 data ok#"1"
            > write ok#1
            > close 1
            """#),
        Self(
            "an error without an ID in a stream is the response",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 200 sse
            1 data error#null(-32700 a)
            > write error#1(-32700 a)
            > close 1
            """#),
        Self(
            "events of a response that is no success are not read as a stream",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 500 sse
            1 data ok#1
            1 end
            > write error#1(-32000 the server responded 500 Text; next: check the URL)
            """#),
        Self(
            "a stream without IDs that ends early is an error",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 200 sse
            1 data notifications/a
            > write notifications/a
            1 end
            > write error#1(-32000 the connection ended before the server's response; next: the server may have done what was asked; if not, send the message again)
            host ping#2
            > 2 POST 86400s ping#2
            2 200 sse
            2 lost
            > write error#2(-32000 the connection was lost; next: wait)
            """#),
        Self(
            "a stream with IDs that breaks off is resumed after its last event", in: .session,
            #"""
            host ping#1
            > 4 POST 86400s ping#1 session=s revision=2025-11-25
            4 200 sse
            4 bytes id: 7\ndata:\n\ndata: {"jso
            4 lost
            > wait until 1s
            at 1s
            > 4 GET 86400s session=s revision=2025-11-25 after=7
            4 200 sse
            4 data ok#1
            > write ok#1
            > close 4
            """#),
        Self(
            "a stream is resumed after the time that the server names, as often as it closes the stream",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 200 sse
            1 bytes id: 7\nretry: 2000\ndata:\n\n
            1 end
            > wait until 2s
            at 2s
            > 1 GET 86400s after=7
            1 200 sse
            1 end
            > wait until 4s
            at 4s
            > 1 GET 86400s after=7
            1 200 sse
            1 end
            > wait until 6s
            at 6s
            > 1 GET 86400s after=7
            1 200 sse
            1 end
            > wait until 8s
            at 8s
            > 1 GET 86400s after=7
            1 200 sse
            1 end
            > wait until 10s
            at 10s
            > 1 GET 86400s after=7
            1 200 sse
            1 end
            > wait until 12s
            """#),
        Self(
            "a stream that brings nothing new is resumed five times, with longer pauses",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 200 sse
            1 bytes id: 7\ndata:\n\n
            1 lost
            > wait until 1s
            at 1s
            > 1 GET 86400s after=7
            1 503
            > close 1
            > wait until 3s
            at 3s
            > 1 GET 86400s after=7
            1 lost
            > wait until 7s
            at 7s
            > 1 GET 86400s after=7
            1 200 sse
            1 end
            > wait until 15s
            at 15s
            > 1 GET 86400s after=7
            1 429
            > close 1
            > wait until 31s
            at 31s
            > 1 GET 86400s after=7
            1 408
            > close 1
            > write error#1(-32000 the connection ended before the server's response; …
            """#),
        Self(
            "a new event begins the attempts again",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 200 sse
            1 bytes id: 7\ndata:\n\n
            1 lost
            > wait until 1s
            at 1s
            > 1 GET 86400s after=7
            1 lost
            > wait until 3s
            at 3s
            > 1 GET 86400s after=7
            1 200 sse
            1 bytes id: 8\ndata:\n\n
            1 lost
            > wait until 4s
            at 4s
            > 1 GET 86400s after=8
            """#),
        Self(
            "a stream that cannot be resumed is an error",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 200 sse
            1 bytes id: 7\ndata:\n\n
            1 end
            > wait until 1s
            at 1s
            > 1 GET 86400s after=7
            1 404
            > close 1
            > write error#1(-32000 the connection ended before the server's response, and the stream cannot be resumed; …
            host ping#2
            > 2 POST 86400s ping#2
            2 200 sse
            2 bytes id: 7\ndata:\n\n
            2 end
            > wait until 2s
            at 2s
            > 2 GET 86400s after=7
            2 202 sse
            > close 2
            > write error#2(-32000 the connection ended before the server's response, and the stream cannot be resumed; …
            """#),
        Self(
            "a rejected token does not end the attempts to resume a stream, and leads to no sign-in",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 200 sse
            1 bytes id: 7\ndata:\n\n
            1 end
            > wait until 1s
            at 1s
            > 1 GET 86400s after=7
            1 401 Bearer
            > close 1
            > wait until 3s
            """#),
        Self(
            "an ID that cannot be sent is left out",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 200 sse
            1 bytes id: a\u{7}b\ndata:\n\n
            1 end
            > wait until 1s
            at 1s
            > 1 GET 86400s
            """#.replacing(#"\u{7}"#, with: "\u{7}")),
        Self(
            "a stream of 2026-07-28 is not resumed",
            #"""
            host ping#1(modern)
            > 1 POST 86400s ping#1(modern) revision=2026-07-28 Mcp-Method=ping
            1 200 sse
            1 bytes id: 7\ndata:\n\n
            1 end
            > write error#1(-32000 the connection ended before the server's response; …
            """#),
        Self(
            "a stream with an event that is not JSON is not resumed, because that may have been the response",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 200 sse
            1 bytes id: 7\ndata: {"jsonrpc\n\n
            1 data notifications/a
            > write notifications/a
            1 end
            > write error#1(-32000 the server sent a message that is not JSON, and no response after it; next: report this to the server's operator)
            """#),
        Self(
            "a response after an event that is not JSON is passed on",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 200 sse
            1 bytes data: {"jsonrpc\n\n
            1 data ok#1
            > write ok#1
            > close 1
            """#),
        Self(
            "an event that is too large is an error", limits: ProxyMachine.Limits(message: 20, large: 10),
            """
            host ping#1
            > 1 POST 86400s ping#1
            1 200 sse
            1 bytes data: aaaaaaaaaaaaaaaaaaaaaaaaaaa
            > close 1
            > write error#1(-32000 the server sent a message of more than 0 MiB; next: request less)
            """),
        Self(
            "a large event waits until another one is complete", limits: ProxyMachine.Limits(message: 1000, large: 30),
            """
            host ping#1
            > 1 POST 86400s ping#1
            host ping#2
            > 2 POST 86400s ping#2
            1 200 sse
            1 bytes data: {"jsonrpc":"2.0","method":"a
            2 200 sse
            2 bytes data: {"jsonrpc":"2.0","method":"b
            > wait until 300s
            1 bytes "}\\n\\n
            > write a
            2 bytes "}\\n\\n
            > write b
            """),
        Self(
            "a large event waits five minutes at most, and the next one waits again", limits: ProxyMachine.Limits(message: 1000, large: 30),
            """
            host ping#1
            > 1 POST 86400s ping#1
            host ping#2
            > 2 POST 86400s ping#2
            host ping#3
            > 3 POST 86400s ping#3
            1 200 sse
            1 bytes data: {"jsonrpc":"2.0","method":"a
            2 200 sse
            2 bytes data: {"jsonrpc":"2.0","method":"b
            > wait until 300s
            later 100s
            3 200 sse
            3 bytes data: {"jsonrpc":"2.0","method":"d
            at 300s
            > wait until 400s
            2 bytes "}\\n\\n
            > write b
            2 bytes data: {"jsonrpc":"2.0","method":"c
            1 bytes "}\\n\\n
            > write a
            > wait until 600s
            3 bytes "}\\n\\n
            > write d
            2 bytes "}\\n\\n
            > write c
            """),
        Self(
            "an event that had its turn in time does not let the next one skip its own",
            limits: ProxyMachine.Limits(message: 1000, large: 30),
            """
            host ping#1
            > 1 POST 86400s ping#1
            host ping#2
            > 2 POST 86400s ping#2
            1 200 sse
            1 bytes data: {"jsonrpc":"2.0","method":"a
            2 200 sse
            2 bytes data: {"jsonrpc":"2.0","method":"b
            > wait until 300s
            1 bytes "}\\n\\n
            > write a
            at 300s
            2 bytes "}\\n\\n
            > write b
            1 bytes data: {"jsonrpc":"2.0","method":"c
            2 bytes data: {"jsonrpc":"2.0","method":"d
            > wait until 600s
            """),
        Self(
            "bytes that were read when the time was over are not read again", limits: ProxyMachine.Limits(message: 1000, large: 30),
            """
            host ping#1
            > 1 POST 86400s ping#1
            host ping#2
            > 2 POST 86400s ping#2
            1 200 sse
            1 bytes data: {"jsonrpc":"2.0","method":"a
            2 200 sse
            2 bytes data: {"jsonrpc":"2.0","method":"b
            > wait until 300s
            at 300s
            1 bytes "}\\n\\n
            > write a
            2 bytes "}\\n\\n
            > write b
            """),
        Self(
            "cancelling a request ends its pause", in: .session,
            #"""
            host ping#1
            > 4 POST 86400s ping#1 session=s revision=2025-11-25
            4 200 sse
            4 bytes id: 7\ndata:\n\n
            4 end
            > wait until 1s
            host notifications/cancelled({"requestId":1})
            > 5 POST 60s notifications/cancelled({"requestId":1}) session=s revision=2025-11-25
            at 1s
            """#),
        Self(
            "notifications are passed on, and responses are not", in: .session,
            #"""
            host notifications/initialized
            > 4 POST 60s notifications/initialized session=s revision=2025-11-25
            4 202
            > 5 GET 86400s session=s revision=2025-11-25
            > close 4
            5 200 sse
            5 data notifications/a
            > write notifications/a
            5 data roots/list#1
            > write roots/list#1
            5 data ok#1
            5 data error#null(-32700 a)
            """#),
        Self(
            "the stream of notifications is opened again after its last event, with longer pauses while it brings nothing", in: .session,
            #"""
            host notifications/initialized
            > 4 POST 60s notifications/initialized session=s revision=2025-11-25
            4 202
            > 5 GET 86400s session=s revision=2025-11-25
            > close 4
            5 200 sse
            5 bytes id: 1\ndata: {"jsonrpc":"2.0","method":"a"}\n\n
            > write a
            5 end
            > wait until 1s
            at 1s
            > 5 GET 86400s session=s revision=2025-11-25 after=1
            5 200 sse
            5 lost
            > wait until 3s
            at 3s
            > 5 GET 86400s session=s revision=2025-11-25 after=1
            5 503
            > close 5
            > wait until 7s
            at 7s
            > 5 GET 86400s session=s revision=2025-11-25 after=1
            5 401 Bearer
            > close 5
            > wait until 15s
            at 15s
            > 5 GET 86400s session=s revision=2025-11-25 after=1
            5 lost
            > wait until 31s
            """#),
        Self(
            "the stream of notifications is not bounded by a number of attempts, and messages without IDs shorten the pause", in: .session,
            #"""
            host notifications/initialized
            > 4 POST 60s notifications/initialized session=s revision=2025-11-25
            4 202
            > 5 GET 86400s session=s revision=2025-11-25
            > close 4
            5 lost
            > wait until 1s
            at 1s
            > 5 GET 86400s session=s revision=2025-11-25
            5 lost
            > wait until 3s
            at 3s
            > 5 GET 86400s session=s revision=2025-11-25
            5 200 sse
            5 data a
            > write a
            5 end
            > wait until 4s
            at 4s
            > 5 GET 86400s session=s revision=2025-11-25
            5 200 sse
            5 bytes data: {\n\n
            5 end
            > wait until 6s
            """#),
        Self(
            "a server that closes the stream of notifications at once is not asked without a pause", in: .session,
            #"""
            host notifications/initialized
            > 4 POST 60s notifications/initialized session=s revision=2025-11-25
            4 202
            > 5 GET 86400s session=s revision=2025-11-25
            > close 4
            5 200 sse
            5 bytes retry: 0\n\n
            5 end
            > wait until 0.01s
            at 1s
            > 5 GET 86400s session=s revision=2025-11-25
            5 200 sse
            5 end
            > wait until 1.02s
            at 2s
            > 5 GET 86400s session=s revision=2025-11-25
            5 200 sse
            5 end
            > wait until 2.04s
            """#),
        Self(
            "the time that the server names grows only while the stream cannot be opened", in: .session,
            #"""
            host notifications/initialized
            > 4 POST 60s notifications/initialized session=s revision=2025-11-25
            4 202
            > 5 GET 86400s session=s revision=2025-11-25
            > close 4
            5 200 sse
            5 bytes retry: 2000\n\n
            5 end
            > wait until 2s
            at 2s
            > 5 GET 86400s session=s revision=2025-11-25
            5 lost
            > wait until 6s
            at 6s
            > 5 GET 86400s session=s revision=2025-11-25
            5 200 sse
            5 end
            > wait until 8s
            """#),
        Self(
            "streams whose times are over are opened again in the order of their times",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            host ping#2
            > 2 POST 86400s ping#2
            1 200 sse
            1 bytes id: 1\nretry: 3000\n\n
            1 end
            > wait until 3s
            2 200 sse
            2 bytes id: 2\nretry: 2000\n\n
            2 end
            > wait until 2s
            at 4s
            > 2 GET 86400s after=2
            > 1 GET 86400s after=1
            """#),
        Self(
            "a server without a stream of notifications is not asked again", in: .session,
            #"""
            host notifications/initialized
            > 4 POST 60s notifications/initialized session=s revision=2025-11-25
            4 202
            > 5 GET 86400s session=s revision=2025-11-25
            > close 4
            5 405
            > close 5
            host notifications/initialized
            > 6 POST 60s notifications/initialized session=s revision=2025-11-25
            6 202
            > 7 GET 86400s session=s revision=2025-11-25
            > close 6
            7 200
            > close 7
            """#),
        Self(
            "a notification that is too large only breaks off the stream", in: .session,
            limits: ProxyMachine.Limits(message: 200, large: 100),
            """
            host notifications/initialized
            > 4 POST 60s notifications/initialized session=s revision=2025-11-25
            4 202
            > 5 GET 86400s session=s revision=2025-11-25
            > close 4
            5 200 sse
            5 bytes data: \(String(repeating: "a", count: 200))
            > close 5
            > wait until 1s
            at 1s
            > 5 GET 86400s session=s revision=2025-11-25
            """),
    ]

    /// The end of the proxy.
    static let ends: [Self] = [
        Self(
            "without a session, the proxy ends with its input",
            #"""
            host ends
            > finish
            """#),
        Self(
            "the session ends at the server", in: .session,
            #"""
            host ends
            > 4 DELETE 2s session=s revision=2025-11-25
            4 200
            > close 4
            > finish
            """#),
        Self(
            "a server that cannot end the session does not keep the proxy", in: .session,
            #"""
            host ends
            > 4 DELETE 2s session=s revision=2025-11-25
            4 lost
            > finish
            """#),
        Self(
            "responses arrive after the end of the input", in: .session,
            #"""
            host ping#1
            > 4 POST 86400s ping#1 session=s revision=2025-11-25
            host ends
            > wait until 300s
            4 200 json ok#1
            > write ok#1
            > 5 DELETE 2s session=s revision=2025-11-25
            """#),
        Self(
            "responses are waited for five minutes after the end of the input", in: .session,
            #"""
            host ping#1
            > 4 POST 86400s ping#1 session=s revision=2025-11-25
            later 10s
            host ends
            > wait until 310s
            at 310s
            > close 4
            > 5 DELETE 2s session=s revision=2025-11-25
            """#),
        Self(
            "subscriptions end with the input",
            #"""
            host subscriptions/listen#1
            > 1 POST 86400s subscriptions/listen#1
            host ping#2
            > 2 POST 86400s ping#2
            host ends
            > close 1
            > wait until 300s
            2 200 json ok#2
            > write ok#2
            > finish
            """#),
        Self(
            "the stream of notifications ends with the input", in: .session,
            #"""
            host notifications/initialized
            > 4 POST 60s notifications/initialized session=s revision=2025-11-25
            4 202
            > 5 GET 86400s session=s revision=2025-11-25
            > close 4
            5 200 sse
            host ends
            > close 5
            > 6 DELETE 2s session=s revision=2025-11-25
            """#),
        Self(
            "the proxy ends with its host, without responses, and nothing that waits is sent",
            #"""
            host initialize#0
            > 1 POST 86400s initialize#0
            host ping#1
            host ping#2
            host is gone
            > close 1
            > finish
            host ping#3
            1 200 json ok#0
            """#),
        Self(
            "the proxy ends while a new session is started", in: .session,
            #"""
            host ping#1
            > 4 POST 86400s ping#1 session=s revision=2025-11-25
            4 404
            > close 4
            > 5 POST 60s initialize#"own-1"
            host is gone
            > close 5
            > 6 DELETE 2s session=s revision=2025-11-25
            """#),
        Self(
            "the proxy ends during a sign-in, whose page stays",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 401 Bearer
            > close 1
            > sign in: Bearer
            host is gone
            > finish
            sign-in done
            """#),
        Self(
            "a host that is gone after the end of its input is waited for no longer", in: .session,
            #"""
            host ping#1
            > 4 POST 86400s ping#1 session=s revision=2025-11-25
            host ends
            > wait until 300s
            host is gone
            > close 4
            > 5 DELETE 2s session=s revision=2025-11-25
            host is gone
            at 300s
            host ends
            5 204
            > close 5
            > finish
            """#),
        Self(
            "a new session that is just being started ends with the last message", in: .session,
            #"""
            host ping#1
            > 4 POST 86400s ping#1 session=s revision=2025-11-25
            4 404
            > close 4
            > 5 POST 60s initialize#"own-1"
            5 200 session=t json ok#"own-1"
            > 6 POST 60s notifications/initialized session=t revision=2025-11-25
            host ends
            host notifications/a
            host is gone
            > close 6
            > 7 DELETE 2s session=t revision=2025-11-25
            """#),
    ]
}
