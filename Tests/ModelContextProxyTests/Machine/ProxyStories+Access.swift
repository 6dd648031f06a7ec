extension ProxyStory {
    /// Rejected tokens, sign-ins and their limits.
    static let access: [Self] = [
        Self(
            "MC33: a 401 for the first message leads to a sign-in, and the message is sent again",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 401 Bearer resource_metadata="m"
            > close 1
            > sign in: Bearer resource_metadata="m"
            sign-in done
            > 1 POST 86400s ping#1
            1 200 json ok#1
            > write ok#1
            """#),
        Self(
            "MC33: a 401 without a challenge, or with one for a password, leads to a sign-in",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 401
            > close 1
            > sign in
            sign-in done
            > 1 POST 86400s ping#1
            host ping#2
            > 2 POST 86400s ping#2
            2 401 Basic realm=a
            > close 2
            > ask others
            """#),
        Self(
            "the rejected sign-in is named, so that the result of another process can be told apart",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 401 by=old for=https://mcp.example Bearer
            > close 1
            > sign in instead of old: Bearer
            """#),
        Self(
            "403 with insufficient_scope leads to a sign-in at the resource of the account",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 403 by=old for=https://mcp.example Bearer error="insufficient_scope", scope="a b"
            > close 1
            > sign in at https://mcp.example instead of old: Bearer error="insufficient_scope", scope="a b"
            """#),
        Self(
            "403 with insufficient_scope without an account leads to a sign-in at the URL",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 403 Bearer error="insufficient_scope", scope="a"
            > close 1
            > sign in: Bearer error="insufficient_scope", scope="a"
            """#),
        Self(
            "any other 403 is an error",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 403 by=a json {"error":"forbidden"}
            > write error#1(-32000 the server responded 403 Text; next: check the URL; …
            """#),
        Self(
            "a 401 of another server, which gets no token, is an error",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 401 withheld json
            > write error#1(-32000 the server responded 401 Text; …
            """#),
        Self(
            "a 401 for a token of the user's own is an error", usesAccount: false,
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 401 json
            > write error#1(-32000 the server responded 401 Text; next: check the URL and the values of --header)
            """#),
        Self(
            "messages share one sign-in",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            host ping#2
            > 2 POST 86400s ping#2
            host ping#3
            > 3 POST 86400s ping#3
            1 401 Bearer
            > close 1
            > sign in: Bearer
            2 401 Bearer
            > close 2
            sign-in done
            > 1 POST 86400s ping#1
            > 2 POST 86400s ping#2
            3 401 Bearer
            > close 3
            > 3 POST 86400s ping#3
            """#),
        Self(
            "a failed sign-in is an error of all messages that wait for it",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            host notifications/a
            > 2 POST 60s notifications/a
            1 401 Bearer
            > close 1
            > sign in: Bearer
            2 401 Bearer
            > close 2
            sign-in failed
            > write error#1(-32000 the sign-in failed; next: retry)
            > report the sign-in failed; next: retry
            """#),
        Self(
            "a message leads to two sign-ins, the second for more scope, and the next rejection is an error",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 401 Bearer
            > close 1
            > sign in: Bearer
            sign-in done
            > 1 POST 86400s ping#1
            1 403 Bearer error="insufficient_scope", scope="a"
            > close 1
            > sign in: Bearer error="insufficient_scope", scope="a"
            sign-in done
            > 1 POST 86400s ping#1
            1 403 json
            > write error#1(-32000 the server responded 403 Text; next: check the URL)
            """#),
        Self(
            "a message that has led to two sign-ins leads to no third",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 401 Bearer
            > close 1
            > sign in: Bearer
            sign-in shared
            > 1 POST 86400s ping#1
            1 401 Bearer
            > close 1
            > sign in: Bearer
            sign-in shared
            > 1 POST 86400s ping#1
            1 401 Bearer
            1 end
            > write error#1(-32000 the server responded 401 Text; next: check the URL)
            """#),
        Self(
            "MC14: a requirement that a sign-in has met leads to no other, however the challenge is written",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 401 Bearer
            > close 1
            > sign in: Bearer
            sign-in done
            > 1 POST 86400s ping#1
            1 401 Bearer error="invalid_token", error_description="1"
            > close 1
            > ask others: Bearer error="invalid_token", error_description="1"
            others no
            > write error#1(-32000 the server still requires more access after a sign-in; next: ask the server's operator what the account lacks; to sign in again: authhub login)
            """#),
        Self(
            "a token that the server accepted and then rejects leads to another sign-in",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 401 Bearer
            > close 1
            > sign in: Bearer
            sign-in done
            > 1 POST 86400s ping#1
            1 200 json ok#1
            > write ok#1
            host ping#2
            > 2 POST 86400s ping#2
            2 401 by=new Bearer
            > close 2
            > sign in instead of new: Bearer
            """#),
        Self(
            "a scope that the server still requires leads to no other sign-in, even if it accepts other messages",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 403 Bearer error="insufficient_scope", scope="a"
            > close 1
            > sign in: Bearer error="insufficient_scope", scope="a"
            sign-in done
            > 1 POST 86400s ping#1
            1 200 json ok#1
            > write ok#1
            host ping#2
            > 2 POST 86400s ping#2
            2 403 Bearer error="insufficient_scope", scope="a"
            > close 2
            > ask others: Bearer error="insufficient_scope", scope="a"
            """#),
        Self(
            "the sign-in of another process is used instead of giving up",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 401 Bearer
            > close 1
            > sign in: Bearer
            sign-in done
            > 1 POST 86400s ping#1
            1 401 by=mine Bearer
            > close 1
            > ask others instead of mine: Bearer
            others yes
            > 1 POST 86400s ping#1
            1 200 json ok#1
            > write ok#1
            """#),
        Self(
            "the sign-in of another process may not be enough, and the next one is the proxy's own",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 403 Bearer error="insufficient_scope", scope="a"
            > close 1
            > sign in: Bearer error="insufficient_scope", scope="a"
            sign-in shared
            > 1 POST 86400s ping#1
            1 403 Bearer error="insufficient_scope", scope="a"
            > close 1
            > sign in: Bearer error="insufficient_scope", scope="a"
            """#),
        Self(
            "a user who has declined is not asked for 30 seconds, and messages get the reason",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 401 Bearer
            > close 1
            > sign in: Bearer
            sign-in declined
            > write error#1(-32000 the sign-in failed; next: retry)
            later 29s
            host ping#2
            > 2 POST 86400s ping#2
            2 401 Bearer
            > close 2
            > ask others: Bearer
            others no
            > write error#2(-32000 the sign-in failed; next: retry)
            later 31s
            host ping#3
            > 3 POST 86400s ping#3
            3 401 Bearer
            > close 3
            > sign in: Bearer
            """#),
        Self(
            "a login that the user has typed after declining is used at once",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 401 Bearer
            > close 1
            > sign in: Bearer
            sign-in declined
            > write error#1(-32000 the sign-in failed; next: retry)
            host ping#2
            > 2 POST 86400s ping#2
            2 401 Bearer
            > close 2
            > ask others: Bearer
            others yes
            > 2 POST 86400s ping#2
            2 200 json ok#2
            > write ok#2
            """#),
        Self(
            "a sign-in that showed no page may be repeated at once",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 401 Bearer
            > close 1
            > sign in: Bearer
            sign-in failed
            > write error#1(-32000 the sign-in failed; next: retry)
            host ping#2
            > 2 POST 86400s ping#2
            2 401 Bearer
            > close 2
            > sign in: Bearer
            """#),
        Self(
            "the reason of an earlier failure is forgotten with a sign-in",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 401 Bearer
            > close 1
            > sign in: Bearer
            sign-in declined
            > write error#1(-32000 the sign-in failed; next: retry)
            host ping#2
            > 2 POST 86400s ping#2
            2 401 Bearer
            > close 2
            > ask others: Bearer
            others yes
            > 2 POST 86400s ping#2
            2 401 Bearer
            > close 2
            > ask others: Bearer
            others no
            > write error#2(-32000 the server still requires more access after a sign-in; …
            """#),
        Self(
            "a message that needs something else than the one that gives up gets its own sign-in",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 401 Bearer
            > close 1
            > sign in: Bearer
            sign-in done
            > 1 POST 86400s ping#1
            host ping#2
            > 2 POST 86400s ping#2
            host ping#3
            > 3 POST 86400s ping#3
            1 401 Bearer
            > close 1
            > ask others: Bearer
            2 403 Bearer error="insufficient_scope", scope="a"
            > close 2
            3 401 Bearer error="invalid_token"
            > close 3
            others no
            > write error#1(-32000 the server still requires more access after a sign-in; …
            > write error#3(-32000 the server still requires more access after a sign-in; …
            > sign in: Bearer error="insufficient_scope", scope="a"
            sign-in done
            > 2 POST 86400s ping#2
            """#),
        Self(
            "MC34: a message that is cancelled during the sign-in is not sent, and the page stays",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            1 401 Bearer
            > close 1
            > sign in: Bearer
            host notifications/cancelled({"requestId":1})
            host ping#2
            > 2 POST 86400s ping#2
            2 401 Bearer
            > close 2
            sign-in done
            > 2 POST 86400s ping#2
            """#),
        Self(
            "a message that waits for a sign-in gets the session that is started meanwhile", in: .session,
            #"""
            host ping#1
            > 4 POST 86400s ping#1 session=s revision=2025-11-25
            host ping#2
            > 5 POST 86400s ping#2 session=s revision=2025-11-25
            4 401 Bearer
            > close 4
            > sign in: Bearer
            5 404
            > close 5
            > 6 POST 60s initialize#"own-1"
            sign-in done
            6 200 session=t json ok#"own-1"
            > 7 POST 60s notifications/initialized session=t revision=2025-11-25
            7 202
            > close 7
            > 8 GET 86400s session=t revision=2025-11-25
            > 4 POST 86400s ping#1 session=t revision=2025-11-25
            > 5 POST 86400s ping#2 session=t revision=2025-11-25
            """#),
        Self(
            "the proxy's own messages lead to a sign-in, too", in: .session,
            #"""
            host ping#1
            > 4 POST 86400s ping#1 session=s revision=2025-11-25
            4 404
            > close 4
            > 5 POST 60s initialize#"own-1"
            5 401 Bearer
            > close 5
            > sign in: Bearer
            sign-in failed
            > write error#1(-32000 the sign-in failed; next: retry)
            """#),
        Self(
            "a message that was sent with an earlier sign-in is sent again without another one",
            #"""
            host ping#1
            > 1 POST 86400s ping#1
            host ping#2
            > 2 POST 86400s ping#2
            1 401 Bearer
            > close 1
            > sign in: Bearer
            sign-in done
            > 1 POST 86400s ping#1
            2 401 Bearer
            > close 2
            > 2 POST 86400s ping#2
            2 401 Bearer
            > close 2
            > ask others: Bearer
            """#),
        Self(
            "results of sign-ins that no one waits for are ignored",
            #"""
            sign-in done
            others yes
            others no
            host ping#1
            > 1 POST 86400s ping#1
            """#),
    ]
}
