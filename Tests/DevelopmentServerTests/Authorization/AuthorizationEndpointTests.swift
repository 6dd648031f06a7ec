import AuthHubPrimitives
import DevelopmentServer
import Testing

@Suite struct AuthorizationEndpointTests {
    @Test func `a user signs in, consents, and returns with a code, the state and the issuer`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let person = flow.person()
            let back = try await person.visit(flow.authorizationPath())
            #expect(back.status == 303)
            #expect(back.header("Location")?.hasPrefix(Flow.redirectURI + "?code=") == true)
            #expect(back.redirectParameters["state"] == "a state")
            #expect(back.redirectParameters["iss"] == flow.server.issuer)
            #expect(await person.passwordsEntered == 1)
            #expect(await person.consentsGiven == 1)
        }
    }

    @Test func `asks the same browser for neither password nor consent again, and a new one for the password`() async throws {
        try await Flow.run(.init(persona: .gitHub)) { flow in
            let path = flow.authorizationPath(scope: "repo")
            let person = flow.person()
            _ = try await person.visit(path)
            let again = try await person.visit(path)
            #expect(again.redirectParameters["code"] != nil)
            #expect(await person.passwordsEntered == 1)
            #expect(await person.consentsGiven == 1)
            let ephemeral = flow.person()
            _ = try await ephemeral.visit(path)
            #expect(await ephemeral.passwordsEntered == 1)
        }
    }

    @Test func `a wrong password shows the page again with a message, and the typed name is escaped`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let person = flow.person()
            let page = try await person.open(flow.authorizationPath())
            let again = try await person.submit(page, ["username": "<b>octocat\"", "password": "wrong"])
            #expect(again.status == 200)
            #expect(again.text.contains("role=\"alert\">Wrong username or password."))
            #expect(again.text.contains("value=\"&lt;b&gt;octocat&quot;\""))
            #expect(!again.text.contains("<b>octocat"))
            #expect(again.header("Location") == nil)
        }
    }

    @Test func `rejects a form without this browser's form token`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let person = flow.person()
            let page = try await person.open(flow.authorizationPath())
            let answer = try await person.submit(
                page, ["username": "octocat", "password": "octocat-password", "form_token": "from elsewhere"])
            #expect(answer.status == 403)
            let other = flow.person()
            #expect(try await other.submit(page, ["username": "octocat", "password": "octocat-password"]).status == 403)
        }
    }

    @Test func `signing in gives the browser a new session, so an earlier one is useless`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let person = flow.person()
            let page = try await person.open(flow.authorizationPath())
            let answer = try await person.submit(page, ["username": "octocat", "password": "octocat-password"])
            let before = page.header("Set-Cookie")?.prefix { $0 != ";" }
            let after = answer.header("Set-Cookie")?.prefix { $0 != ";" }
            #expect(before != nil && after != nil && before != after)
            let old = try await flow.client.get(
                flow.server.issuer + flow.authorizationPath(), headers: ["Cookie": String(before ?? "")])
            #expect(old.text.contains("name=\"password\""))
        }
    }

    @Test func `pages are not cached or framed, and their forms lead only to the server or the client`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let page = try await flow.person().open(flow.authorizationPath())
            #expect(page.header("Cache-Control") == "no-store")
            let policy = page.header("Content-Security-Policy") ?? ""
            #expect(policy.contains("default-src 'none'"))
            #expect(policy.contains("frame-ancestors 'none'"))
            #expect(policy.contains("form-action 'self' http://127.0.0.1:49152;"))
            let cookie = page.header("Set-Cookie") ?? ""
            #expect(cookie.contains("; HttpOnly") && cookie.contains("; SameSite=Lax"))
        }
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let changes: [String: String?]
        var error: String?
    }

    @Test(arguments: [
        Refused(testDescription: "unknown client: a page", changes: ["client_id": "nobody"]),
        Refused(testDescription: "no client: a page", changes: ["client_id": nil]),
        Refused(testDescription: "unregistered redirect URI: a page", changes: ["redirect_uri": "https://evil.example/callback"]),
        Refused(testDescription: "another path at loopback: a page", changes: ["redirect_uri": "http://127.0.0.1:1/evil"]),
        Refused(testDescription: "a registered URI with a suffix: a page", changes: ["redirect_uri": "authhub://callback/x"]),
        Refused(testDescription: "no redirect URI if several are registered: a page", changes: ["redirect_uri": nil]),
        Refused(testDescription: "no response type", changes: ["response_type": nil], error: "invalid_request"),
        Refused(testDescription: "implicit grant", changes: ["response_type": "token"], error: "unsupported_response_type"),
        Refused(testDescription: "unknown scope", changes: ["scope": "openid moon"], error: "invalid_scope"),
        Refused(testDescription: "plain PKCE", changes: ["code_challenge_method": "plain"], error: "invalid_request"),
        Refused(testDescription: "a PKCE method left out means plain", changes: ["code_challenge_method": nil], error: "invalid_request"),
        Refused(testDescription: "public client without PKCE", changes: ["code_challenge": nil], error: "invalid_request"),
        Refused(testDescription: "challenge that is not a hash", changes: ["code_challenge": "short"], error: "invalid_request"),
        Refused(testDescription: "signed request", changes: ["request": "e30."], error: "request_not_supported"),
        Refused(testDescription: "prompt none with another value", changes: ["prompt": "none login"], error: "invalid_request"),
        Refused(testDescription: "prompt none while signed out", changes: ["prompt": "none"], error: "login_required"),
    ])
    func `an invalid request shows an error or returns it, and never to an unregistered URL`(row: Refused) async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let answer = try await flow.person().open(flow.authorizationPath(changing: row.changes))
            if let error = row.error {
                #expect(answer.status == 303)
                #expect(answer.header("Location")?.hasPrefix(Flow.redirectURI + "?") == true)
                #expect(answer.redirectParameters["error"] == error)
                #expect(answer.redirectParameters["state"] == "a state")
                #expect(answer.redirectParameters["iss"] == flow.server.issuer)
            } else {
                #expect(answer.status == 400)
                #expect(answer.header("Location") == nil)
                #expect(answer.header("Content-Type")?.hasPrefix("text/html") == true)
            }
        }
    }

    @Test func `rejects a parameter that occurs twice`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let twice = try await flow.person().open(flow.authorizationPath() + "&state=another")
            #expect(twice.redirectParameters["error"] == "invalid_request")
            let address = try await flow.person().open(flow.authorizationPath() + "&redirect_uri=authhub%3A%2F%2Fcallback")
            #expect(address.status == 400 && address.header("Location") == nil)
        }
    }

    @Test(arguments: [
        "http://127.0.0.1:1/callback", "http://127.0.0.1:65535/callback", "http://[::1]:8080/callback", "http://localhost:3000/callback",
        "com.example.authhub:/callback", "authhub://callback", "https://example.com/auth/callback",
    ])
    func `loopback redirects may have any port, all others must match their registration`(redirectURI: String) async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let back = try await flow.person().visit(flow.authorizationPath(changing: ["redirect_uri": redirectURI]))
            #expect(back.header("Location")?.hasPrefix(redirectURI + "?code=") == true)
        }
    }

    @Test func `cancelling sends access_denied with the state`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let back = try await flow.person().visit(flow.authorizationPath(), decision: "cancel")
            #expect(back.redirectParameters["error"] == "access_denied")
            #expect(back.redirectParameters["state"] == "a state")
            #expect(back.redirectParameters["code"] == nil)
        }
    }

    @Test func `prompt login asks for the password and prompt consent for consent, although both were given`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let person = flow.person()
            _ = try await person.visit(flow.authorizationPath())
            _ = try await person.visit(flow.authorizationPath(changing: ["prompt": "login"]))
            #expect(await person.passwordsEntered == 2)
            #expect(await person.consentsGiven == 1)
            _ = try await person.visit(flow.authorizationPath(changing: ["prompt": "consent"]))
            #expect(await person.passwordsEntered == 2)
            #expect(await person.consentsGiven == 2)
            let silent = try await person.open(flow.authorizationPath(changing: ["prompt": "none"]))
            #expect(silent.redirectParameters["code"] != nil)
            let wider = try await person.open(flow.authorizationPath(scope: "openid repo", changing: ["prompt": "none"]))
            #expect(wider.redirectParameters["error"] == "consent_required")
        }
    }

    @Test func `response mode fragment returns the response after a number sign`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let back = try await flow.person().visit(flow.authorizationPath(changing: ["response_mode": "fragment"]))
            #expect(back.header("Location")?.hasPrefix(Flow.redirectURI + "#code=") == true)
        }
    }
}
