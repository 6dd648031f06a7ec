import AuthHubPrimitives
import Platform
import Testing

@testable import OAuthProtocol

/// Tests which responses are accepted in every response mode. `STATE` stands for the request's own state.
struct ResponseModeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let mode: ResponseMode
        let callback: AuthorizationCallback
        let isGood: Bool

        init(_ description: String, _ mode: ResponseMode, url: String, _ isGood: Bool) {
            self.init(description, mode, .url(Secret(url)), isGood)
        }

        init(_ description: String, _ mode: ResponseMode, form: String, to url: String = redirectURI, _ isGood: Bool) {
            self.init(description, mode, .form(Secret(form), postedTo: Secret(url)), isGood)
        }

        private init(_ description: String, _ mode: ResponseMode, _ callback: AuthorizationCallback, _ isGood: Bool) {
            testDescription = description
            self.mode = mode
            self.callback = callback
            self.isGood = isGood
        }
    }

    static let rows: [Row] = [
        Row("the query, as requested", .query, url: "\(redirectURI)?code=abc&state=STATE", true),
        Row("AR28 the fragment instead of the query", .query, url: "\(redirectURI)#code=abc&state=STATE", false),
        Row("AR28 a form instead of the query", .query, form: "code=abc&state=STATE", false),
        Row("the fragment, as requested", .fragment, url: "\(redirectURI)#code=abc&state=STATE", true),
        Row("AR28 the query instead of the fragment", .fragment, url: "\(redirectURI)?code=abc&state=STATE", false),
        Row("AR28 a form instead of the fragment", .fragment, form: "code=abc&state=STATE", false),
        Row("AR28 another code in the query", .fragment, url: "\(redirectURI)?code=x#code=abc&state=STATE", false),
        Row("a form, as requested", .formPost, form: "code=abc&state=STATE", true),
        Row("AR28 the query instead of a form", .formPost, url: "\(redirectURI)?code=abc&state=STATE", false),
        Row("AR28 the fragment instead of a form", .formPost, url: "\(redirectURI)#code=abc&state=STATE", false),
        Row("AR28 a code in the query next to the form", .formPost, form: "code=abc&state=STATE", to: "\(redirectURI)?code=x", false),
        Row("AR01 a form posted to another path", .formPost, form: "code=abc&state=STATE", to: "http://127.0.0.1:49152/other", false),
        Row("AR02 a form without a state", .formPost, form: "code=abc", false),
        Row("AR43 a form over 64 KiB", .formPost, form: "code=abc&state=STATE&x=" + String(repeating: "x", count: 65_536), false),
        Row(
            "AR43 a form of more than 100 parameters", .formPost, form: "code=abc&state=STATE" + String(repeating: "&x=1", count: 100),
            false),
    ]

    @Test(arguments: rows)
    func `accepts a response only where it was requested`(row: Row) throws {
        let request = try authorizationRequest(to: server(row.mode))
        let state = try #require(try request.query["state"])
        var pending = request.pending
        let callback = row.callback.filled(with: state)
        #expect(pending.expects(callback) == row.isGood)
        #expect((error { () throws(OAuthError) in try pending.accept(callback, at: now) } == nil) == row.isGood)
    }

    @Test func `AR35: a form with a broken escape in its code is the response to the request, and is rejected`() throws {
        let request = try authorizationRequest(to: server(.formPost))
        let state = try #require(try request.query["state"])
        var pending = request.pending
        let callback = AuthorizationCallback.form(Secret("code=%4&state=\(state)"), postedTo: Secret(redirectURI))
        #expect(pending.expects(callback))
        #expect(throws: OAuthError.self) { try pending.accept(callback, at: now) }
    }

    @Test(arguments: [
        (ResponseType.code, nil, nil), (.code, .query, nil), (.code, .fragment, "fragment"), (.code, .formPost, "form_post"),
        (.token, nil, nil), (.token, .fragment, nil), (.token, ResponseMode?.some(.formPost), "form_post"),
    ])
    func `sends a response mode only if it is not the type's default`(type: ResponseType, mode: ResponseMode?, expected: String?) throws {
        var server = server(mode)
        server.quirks.authorizationResponses.responseType = type
        #expect(try authorizationRequest(to: server).query["response_mode"] == expected)
    }

    @Test func `never requests a token in the query`() throws {
        var server = server(.query)
        server.quirks.authorizationResponses.responseType = .token
        let failure = #expect(throws: OAuthError.self) { try authorizationRequest(to: server) }
        #expect(failure?.code == .configuration)
    }

    @Test(arguments: [
        ("an object", #"{"name":{"firstName":"Jane"}}"#, true), ("an array", "[]", false), ("text", "Jane", false),
        ("a member twice", #"{"a":1,"a":2}"#, false), ("4 KiB and more", #"{"a":""# + String(repeating: "x", count: 4096) + #""}"#, false),
    ])
    func `keeps the response's description of the user only if it is a small JSON object`(
        description: String, user: String, isKept: Bool
    ) throws {
        var server = server(.formPost)
        server.quirks.authorizationResponses.userParameter = "user"
        let request = try authorizationRequest(to: server)
        var pending = try PendingAuthorization(serialized: request.pending.serialized())
        let form: FormParameters = ["code": "abc", "state": try #require(try request.query["state"]), "user": user]
        guard case .code(let code) = try pending.accept(.form(Secret(form.encoded()), postedTo: Secret(redirectURI)), at: now) else {
            Issue.record("there is no code")
            return
        }
        #expect(code.user == (isKept ? Secret(user) : nil))
        #expect(try TokenRequest.exchange(code, client: client, at: server).user == code.user)
    }

    @Test func `AR07 rejects a repeated description of the user, and ignores one that is not expected`() throws {
        var server = server(.formPost)
        for isExpected in [true, false] {
            server.quirks.authorizationResponses.userParameter = isExpected ? "user" : nil
            let request = try authorizationRequest(to: server)
            var pending = request.pending
            let form = Secret("code=abc&user=%7B%7D&user=%7B%7D&state=\(try #require(try request.query["state"]))")
            let answer = Result { try pending.accept(.form(form, postedTo: Secret(redirectURI)), at: now) }
            switch answer {
            case .success(.code(let code)): #expect(!isExpected && code.user == nil)
            case .success(.tokens), .failure: #expect(isExpected)
            }
        }
    }

    @Test func `AR42 an error in a form is the server's error`() throws {
        let request = try authorizationRequest(to: server(.formPost))
        var pending = request.pending
        let form = Secret("error=access_denied&error_description=no+way&state=\(try #require(try request.query["state"]))")
        let failure = error { () throws(OAuthError) in try pending.accept(.form(form, postedTo: Secret(redirectURI)), at: now) }
        #expect(failure?.serverError?.code == .accessDenied)
        #expect(failure?.serverError?.explanation == "no way")
    }

    @Test(arguments: [
        ("https://app.example", "https://app.example/?code=abc&state=STATE", true),
        ("https://app.example", "https://app.example?code=abc&state=STATE", true),
        ("https://app.example", "https://app.example//?code=abc&state=STATE", false),
        ("https://app.example", "https://app.example/x?code=abc&state=STATE", false),
        ("https://app.example", "https://app.example.evil/?code=abc&state=STATE", false),
        ("https://app.example/cb", "https://app.example/cb/?code=abc&state=STATE", false),
        ("com.example:/cb", "com.example:/cb/?code=abc&state=STATE", false),
    ])
    func `AR56 adds the slash that browsers add to a bare origin`(redirectURI: String, callback: String, isGood: Bool) throws {
        let request = try authorizationRequest(redirectURI: redirectURI)
        let state = try #require(try request.query["state"])
        #expect(request.pending.expects(Secret(callback.replacing("STATE", with: state))) == isGood)
    }

    @Test func `AR58 keeps the session state as received`() throws {
        let request = try authorizationRequest()
        var pending = request.pending
        let state = try #require(try request.query["state"])
        let code: AuthorizationCode = try pending.accept(Secret("\(redirectURI)?code=abc&state=\(state)&session_state=x.y%2Bz"), at: now)
        #expect(code.sessionState == "x.y+z")
    }

    private func server(_ mode: ResponseMode?) -> ProviderProfile {
        var server = plainServer
        server.quirks.authorizationResponses.responseMode = mode
        return server
    }
}

extension AuthorizationCallback {
    func filled(with state: String) -> Self {
        switch self {
        case .url(let url): .url(Secret(url.reveal().replacing("STATE", with: state)))
        case .form(let form, let url): .form(Secret(form.reveal().replacing("STATE", with: state)), postedTo: url)
        case .pin: self
        }
    }
}
