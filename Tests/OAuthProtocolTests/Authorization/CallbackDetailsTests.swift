import AuthHubPrimitives
import Testing

@testable import OAuthProtocol

/// The content of a callback's error, and how its values are parsed. `AuthorizationResponseTests` covers which callbacks are accepted.
struct CallbackDetailsTests {
    /// The error of a callback that carries the sign-in's own state.
    private func failure(_ query: String, of server: ProviderProfile = plainServer) throws -> OAuthError? {
        let request = try authorizationRequest(to: server)
        let state = try #require(try request.query["state"])
        var pending = request.pending
        return error { () throws(OAuthError) in try pending.accept(Secret("\(redirectURI)?\(query)&state=\(state)"), at: now) }
    }

    @Test func `AR07: rejects two responses as a repeat, before it reads either`() throws {
        let failure = try failure("response=e30.e30.&response=e30.e30.")
        #expect(failure?.code == .securityCheckFailed)
        #expect(failure?.explanation.contains("response more than once") == true)
    }

    @Test func `AR08: reports the error and ignores the code if a callback has both`() throws {
        let failure = try failure("code=c0de&error=invalid_scope")
        #expect(failure?.serverError?.code == .invalidScope)
        #expect(failure.map { "\($0)" }?.contains("c0de") == false)
    }

    @Test(arguments: ["consent_required", "urn:example:odd", "Ünbekannt", "x"])
    func `AR11: returns an unknown error code unchanged`(code: String) throws {
        let failure = try failure("error=\(FormParameters.encode(code))")
        #expect(failure?.serverError?.code == ServerErrorCode(rawValue: code))
        #expect(failure?.serverError?.originalCode == code)
        #expect(failure?.serverError?.status == nil)
    }

    @Test func `AR12: a displayed error code neither controls a terminal nor changes the writing direction, and is limited in length`()
        throws
    {
        let failure = try failure("error=a%1B%5B2Jb%E2%80%AEc%0D%0Ad%C2%9Be" + String(repeating: "x", count: 5000))
        let shown = try #require(failure.map { "\($0)" })
        #expect(failure?.serverError?.originalCode.hasPrefix("a[2Jbcde") == true)
        #expect(shown.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) && $0.value != 0x202E })
        #expect(shown.count < 200)
    }

    @Test(arguments: [
        ("https://as.example/help", "https://as.example/help"), ("javascript:alert(1)", nil), ("file:///etc/passwd", nil),
        ("http://as.example/help", nil), ("//as.example/help", nil), ("data:text/html,x", nil), (" https://as.example/", nil), ("", nil),
    ])
    func `AR13: offers an error page only if its URL is https`(written: String, shown: String?) throws {
        #expect(try failure("error=x&error_uri=\(FormParameters.encode(written))")?.serverError?.uri == shown)
    }

    @Test(arguments: [
        ("AR14 another issuer", "&iss=https%3A%2F%2Fevil.example", true), ("AR14 another state", "", false), ("AR14 no state", "", nil),
    ])
    func `AR14: never displays the text of an error that is not from this server`(description: String, more: String, hasState: Bool?)
        throws
    {
        let request = try authorizationRequest()
        let state = try #require(try request.query["state"])
        var pending = request.pending
        let text = "error=access_denied&error_description=call+0900+for+help&error_uri=https://evil.example/"
        let end = hasState.map { "&state=\($0 ? state : "other")" } ?? ""
        let failure = error { () throws(OAuthError) in try pending.accept(Secret("\(redirectURI)?\(text)\(more)\(end)"), at: now) }
        #expect(failure?.code == .securityCheckFailed, "\(description)")
        #expect(failure?.serverError == nil)
        #expect(failure.map { "\($0)" }?.contains("0900") == false)
    }

    @Test(arguments: [
        ("AR34 equals signs", "a=b==", "a=b=="), ("AR34 an escaped plus", "a%2Bb", "a+b"), ("AR34 a plus, which is a space", "a+b", "a b"),
        ("AR34 an escaped ampersand", "a%26b%3Dc", "a&b=c"), ("AR34 an escaped percent sign", "a%252Bb", "a%2Bb"),
        ("AR34 escapes in lower case", "%c3%a9", "é"),
    ])
    func `AR34: parses a value as form data without losing anything`(description: String, written: String, expected: String) throws {
        let request = try authorizationRequest()
        let state = try #require(try request.query["state"])
        var pending = request.pending
        let code = try pending.accept(Secret("\(redirectURI)?code=\(written)&state=\(state)"), at: now)
        #expect(code.value == Secret(expected), "\(description)")
        let form = try TokenRequest.exchange(code, client: client, at: plainServer).form
        #expect(form.values(named: "code") == [expected])
    }

    @Test(arguments: ["\(redirectURI)?tenant=7", "com.example:/callback?x=%C3%A4&y", "https://app.example/a%2Fb"])
    func `AR56: sends the redirect URI of the sign-in in both requests, byte for byte`(redirectURI: String) throws {
        let request = try authorizationRequest(redirectURI: redirectURI)
        #expect(try request.query.values(named: "redirect_uri") == [redirectURI])
        let state = try #require(try request.query["state"])
        var pending = request.pending
        let separator = redirectURI.contains("?") ? "&" : "?"
        let code = try pending.accept(Secret("\(redirectURI)\(separator)code=c&state=\(state)&more=1"), at: now)
        #expect(try TokenRequest.exchange(code, client: client, at: plainServer).form.values(named: "redirect_uri") == [redirectURI])
    }
}

extension TokenRequest {
    var form: FormParameters {
        get throws { try FormParameters(decoding: String(decoding: message.body.reveal(), as: UTF8.self)) }
    }
}
