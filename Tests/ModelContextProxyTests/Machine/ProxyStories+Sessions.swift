extension ProxyStory {
    private static let session = #"revision=2025-11-25 session=s"#

    /// The handshake, the header fields of a session, and a session that the server has ended.
    static let sessions: [Self] = [
        Self(
            "a handshake negotiates the revision and the session, and opens the stream of notifications",
            #"""
            host initialize#0
            > 1 POST 86400s initialize#0
            1 200 session=s json ok#0({"protocolVersion":"2025-11-25"})
            > write ok#0({"protocolVersion":"2025-11-25"})
            host notifications/initialized
            > 2 POST 60s notifications/initialized session=s revision=2025-11-25
            > wait until 5s
            2 202
            > 3 GET 86400s session=s revision=2025-11-25
            > close 2
            host tools/call#1
            > 4 POST 86400s tools/call#1 session=s revision=2025-11-25
            """#),
        Self(
            "messages wait for the response to initialize",
            #"""
            host initialize#0
            > 1 POST 86400s initialize#0
            host tools/list#1
            1 200 session=s json ok#0({"protocolVersion":"2025-11-25"})
            > write ok#0({"protocolVersion":"2025-11-25"})
            > 2 POST 86400s tools/list#1 session=s revision=2025-11-25
            """#),
        Self(
            "messages wait for the notification after initialize, in their order",
            #"""
            host initialize#0
            > 1 POST 86400s initialize#0
            host notifications/initialized
            host tools/list#1
            host tools/list#2
            1 200 json ok#0({"protocolVersion":"2025-11-25"})
            > write ok#0({"protocolVersion":"2025-11-25"})
            > 2 POST 60s notifications/initialized revision=2025-11-25
            > wait until 5s
            2 202
            > 5 GET 86400s revision=2025-11-25
            > close 2
            > 3 POST 86400s tools/list#1 revision=2025-11-25
            > 4 POST 86400s tools/list#2 revision=2025-11-25
            """#),
        Self(
            "messages wait at most five seconds for the notification to be accepted, and later ones no longer do",
            #"""
            host initialize#0
            > 1 POST 86400s initialize#0
            1 200 json ok#0
            > write ok#0
            host notifications/initialized
            > 2 POST 60s notifications/initialized
            > wait until 5s
            host tools/list#1
            at 4s
            > wait until 5s
            at 5s
            > 3 POST 86400s tools/list#1
            host tools/list#2
            > 4 POST 86400s tools/list#2
            """#),
        Self(
            "the five seconds begin when the notification is sent, not while initialize waits for a sign-in",
            #"""
            host initialize#0
            > 1 POST 86400s initialize#0
            host notifications/initialized
            host tools/list#1
            1 401 Bearer
            > close 1
            > sign in: Bearer
            later 60s
            sign-in done
            > 1 POST 86400s initialize#0
            1 200 json ok#0
            > write ok#0
            > 2 POST 60s notifications/initialized
            > wait until 65s
            """#),
        Self(
            "a failed initialize lets the other messages go on",
            #"""
            host initialize#0
            > 1 POST 86400s initialize#0
            host tools/list#1
            1 lost
            > write error#0(-32000 the connection was lost; next: wait)
            > 2 POST 86400s tools/list#1
            """#),
        Self(
            "a session ID that cannot be sent is ignored",
            #"""
            host initialize#0
            > 1 POST 86400s initialize#0
            1 200 session=ä json ok#0
            > write ok#0
            host tools/list#1
            > 2 POST 86400s tools/list#1
            host initialize#0
            > 3 POST 86400s initialize#0
            3 200 session= json ok#0
            > write ok#0
            host tools/list#2
            > 4 POST 86400s tools/list#2
            """#),
        Self(
            "a revision that cannot be sent is ignored",
            #"""
            host initialize#0
            > 1 POST 86400s initialize#0
            1 200 json ok#0({"protocolVersion":"a b"})
            > write ok#0({"protocolVersion":"a b"})
            host tools/list#1
            > 2 POST 86400s tools/list#1
            """#),
        Self(
            "a rejected initialize starts no session",
            #"""
            host initialize#0
            > 1 POST 86400s initialize#0
            1 500 session=s json error#0(-32603 no)
            > write error#0(-32603 no)
            host tools/list#1
            > 2 POST 86400s tools/list#1
            """#),
        Self(
            "another initialize of the host is sent without the session, and replaces it", in: .session,
            #"""
            host initialize#9
            > 4 POST 86400s initialize#9
            4 200 session=t json ok#9({"protocolVersion":"2025-06-18"})
            > write ok#9({"protocolVersion":"2025-06-18"})
            host ping#1
            > 5 POST 86400s ping#1 session=t revision=2025-06-18
            """#),
        Self(
            "a notification that the server rejects opens no stream",
            #"""
            host notifications/initialized
            > 1 POST 60s notifications/initialized
            > wait until 5s
            1 500
            > report the server responded 500 Text; next: check the URL
            > close 1
            """#),
        Self(
            "another initialized notification replaces the stream of notifications", in: .session,
            #"""
            host notifications/initialized
            > 4 POST 60s notifications/initialized session=s revision=2025-11-25
            4 202
            > 5 GET 86400s session=s revision=2025-11-25
            > close 4
            5 200 sse
            host notifications/initialized
            > 6 POST 60s notifications/initialized session=s revision=2025-11-25
            6 202
            > close 5
            > 7 GET 86400s session=s revision=2025-11-25
            > close 6
            """#),
        Self(
            "404 in a session starts a new one, with the parameters of the host's initialize",
            #"""
            host initialize#0({"clientInfo":{}})
            > 1 POST 86400s initialize#0({"clientInfo":{}})
            1 200 session=s json ok#0({"protocolVersion":"2025-11-25"})
            > write ok#0({"protocolVersion":"2025-11-25"})
            host ping#1
            > 2 POST 86400s ping#1 session=s revision=2025-11-25
            2 404
            > close 2
            > 3 POST 60s initialize#"own-1"({"clientInfo":{}})
            host ping#2
            3 200 session=t json ok#"own-1"({"protocolVersion":"2025-06-18"})
            > 5 POST 60s notifications/initialized session=t revision=2025-06-18
            > wait until 5s
            host ping#3
            5 202
            > close 5
            > 7 GET 86400s session=t revision=2025-06-18
            > 2 POST 86400s ping#1 session=t revision=2025-06-18
            > 4 POST 86400s ping#2 session=t revision=2025-06-18
            > 6 POST 86400s ping#3 session=t revision=2025-06-18
            2 200 json ok#1
            > write ok#1
            """#),
        Self(
            "messages that meet the end of a session share the new one", in: .session,
            #"""
            host ping#1
            > 4 POST 86400s ping#1 session=s revision=2025-11-25
            host ping#2
            > 5 POST 86400s ping#2 session=s revision=2025-11-25
            host ping#3
            > 6 POST 86400s ping#3 session=s revision=2025-11-25
            4 404
            > close 4
            > 7 POST 60s initialize#"own-1"
            5 404
            > close 5
            7 200 session=t json ok#"own-1"
            > 8 POST 60s notifications/initialized session=t revision=2025-11-25
            8 202
            > close 8
            > 9 GET 86400s session=t revision=2025-11-25
            > 4 POST 86400s ping#1 session=t revision=2025-11-25
            > 5 POST 86400s ping#2 session=t revision=2025-11-25
            6 404
            > close 6
            > 6 POST 86400s ping#3 session=t revision=2025-11-25
            """#),
        Self(
            "a message starts one new session, and the host gets the second 404", in: .session,
            #"""
            host ping#1
            > 4 POST 86400s ping#1 session=s revision=2025-11-25
            4 404
            > close 4
            > 5 POST 60s initialize#"own-1"
            5 200 session=t json ok#"own-1"
            > 6 POST 60s notifications/initialized session=t revision=2025-11-25
            6 202
            > close 6
            > 7 GET 86400s session=t revision=2025-11-25
            > 4 POST 86400s ping#1 session=t revision=2025-11-25
            4 404 by=a json
            > write error#1(-32000 the server responded 404 Text; next: check the URL; authhub request -i https://mcp.example/mcp --json MESSAGE shows the whole response)
            """#),
        Self(
            "a server that starts no new session is asked again by the next message", in: .session,
            #"""
            host ping#1
            > 4 POST 86400s ping#1 session=s revision=2025-11-25
            4 404
            > close 4
            > 5 POST 60s initialize#"own-1"
            5 200 session=t json error#"own-1"(-1 starting)
            > write error#1(-32000 the server has ended the session, and does not start a new one; next: try again later)
            host ping#2
            > 6 POST 86400s ping#2 session=s revision=2025-11-25
            6 404
            > close 6
            > 7 POST 60s initialize#"own-2"
            """#),
        Self(
            "a new session that cannot be reached is an error of all messages that wait for it", in: .session,
            #"""
            host ping#1
            > 4 POST 86400s ping#1 session=s revision=2025-11-25
            4 404
            > close 4
            > 5 POST 60s initialize#"own-1"
            host ping#2
            5 lost
            > write error#1(-32000 the connection was lost; next: wait)
            > write error#2(-32000 the connection was lost; next: wait)
            """#),
        Self(
            "a new session whose notification is rejected is not used", in: .session,
            #"""
            host ping#1
            > 4 POST 86400s ping#1 session=s revision=2025-11-25
            4 404
            > close 4
            > 5 POST 60s initialize#"own-1"
            5 200 session=t json ok#"own-1"
            > 6 POST 60s notifications/initialized session=t revision=2025-11-25
            6 503
            > close 6
            > write error#1(-32000 the server responded 503 Text; next: check the URL)
            host ping#2
            > 7 POST 86400s ping#2 session=s revision=2025-11-25
            """#),
        Self(
            "a new session may need no session ID", in: .session,
            #"""
            host ping#1
            > 4 POST 86400s ping#1 session=s revision=2025-11-25
            4 404
            > close 4
            > 5 POST 60s initialize#"own-1"
            5 200 json ok#"own-1"
            > 6 POST 60s notifications/initialized revision=2025-11-25
            """#),
        Self(
            "404 without a session is not the end of one",
            #"""
            host initialize#0
            > 1 POST 86400s initialize#0
            1 200 json ok#0
            > write ok#0
            host ping#1
            > 2 POST 86400s ping#1
            2 404 json
            > write error#1(-32000 the server responded 404 Text; next: check the URL)
            """#),
        Self(
            "404 for initialize is not the end of a session", in: .session,
            #"""
            host initialize#9
            > 4 POST 86400s initialize#9
            4 404 json
            > write error#9(-32000 the server responded 404 Text; next: check the URL)
            """#),
        Self(
            "a message of 2026-07-28 is in no session", in: .session,
            #"""
            host ping#1(modern)
            > 4 POST 86400s ping#1(modern) revision=2026-07-28 Mcp-Method=ping
            4 404 json
            > write error#1(-32000 the server responded 404 Text; next: check the URL)
            """#),
        Self(
            "MC35: 400 in a session that worked before starts a new one, once", in: .workingSession,
            #"""
            host ping#1
            > 5 POST 86400s ping#1 session=s revision=2025-11-25
            5 400 json {"jsonrpc":"2.0","error":{"code":-32000,"message":"No valid session ID"},"id":null}
            > 6 POST 60s initialize#"own-1"
            6 200 session=t json ok#"own-1"
            > 7 POST 60s notifications/initialized session=t revision=2025-11-25
            7 202
            > close 7
            > 8 GET 86400s session=t revision=2025-11-25
            > 5 POST 86400s ping#1 session=t revision=2025-11-25
            5 400 json
            > write error#1(-32000 the server responded 400 Text; next: check the URL)
            """#),
        Self(
            "MC35: 400 for a notification in a session that worked before starts a new one", in: .workingSession,
            #"""
            host notifications/a
            > 5 POST 60s notifications/a session=s revision=2025-11-25
            5 400 json
            > 6 POST 60s initialize#"own-1"
            """#),
        Self(
            "MC35: 400 with a response to the message is that response", in: .workingSession,
            #"""
            host ping#1
            > 5 POST 86400s ping#1 session=s revision=2025-11-25
            5 400 json error#1(-32602 wrong)
            > write error#1(-32602 wrong)
            """#),
        Self(
            "MC35: 400 in a session that has not worked yet is an error",
            #"""
            host initialize#0
            > 1 POST 86400s initialize#0
            1 200 session=s json ok#0
            > write ok#0
            host ping#1
            > 2 POST 86400s ping#1 session=s
            2 400 json
            > write error#1(-32000 the server responded 400 Text; next: check the URL)
            host notifications/a
            > 3 POST 60s notifications/a session=s
            3 400 json
            > report the server responded 400 Text; next: check the URL
            """#),
    ]
}
