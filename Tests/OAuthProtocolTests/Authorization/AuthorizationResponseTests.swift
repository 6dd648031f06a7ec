import AuthHubPrimitives
import Platform
import Testing

@testable import OAuthProtocol

/// Every form of callback. `STATE` stands for the request's own state.
struct AuthorizationResponseTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let callback: String
        let expected: OAuthError.Code?
        var server = plainServer
        var redirect = redirectURI

        init(
            _ description: String, _ callback: String, _ expected: OAuthError.Code?, server: ProviderProfile = plainServer,
            redirect: String = redirectURI
        ) {
            testDescription = description
            self.callback = callback
            self.expected = expected
            self.server = server
            self.redirect = redirect
        }
    }

    static let base = redirectURI
    static let promising: ProviderProfile = {
        var server = plainServer
        server.metadata = try? metadata("{\"authorization_response_iss_parameter_supported\": true}")
        return server
    }()
    static let nameless: ProviderProfile = {
        var server = plainServer
        server.issuer = nil
        return server
    }()

    static let rows: [Row] = [
        Row("a code with the right state", "\(base)?code=abc&state=STATE", nil),
        Row("AR01 another path", "http://127.0.0.1:49152/other?code=abc&state=STATE", .securityCheckFailed),
        Row("AR01 a longer path", "\(base)/more?code=abc&state=STATE", .securityCheckFailed),
        Row("AR01 a longer last segment", "\(base)s?code=abc&state=STATE", .securityCheckFailed),
        Row("AR01 another port", "http://127.0.0.1:49153/callback?code=abc&state=STATE", .securityCheckFailed),
        Row("AR01 another scheme", "https://127.0.0.1:49152/callback?code=abc&state=STATE", .securityCheckFailed),
        Row(
            "AR50 the redirect URI as user information", "http://127.0.0.1:49152@evil.example/callback?code=a&state=STATE",
            .securityCheckFailed),
        Row("AR02 no state", "\(base)?code=abc", .securityCheckFailed),
        Row("AR03 an empty state", "\(base)?code=abc&state=", .securityCheckFailed),
        Row("AR03 one extra character", "\(base)?code=abc&state=STATEx", .securityCheckFailed),
        Row("AR03 lower case", "\(base)?code=abc&state=LOWERSTATE", .securityCheckFailed),
        Row("AR03 a prefix", "\(base)?code=abc&state=PREFIXSTATE", .securityCheckFailed),
        Row("AR07 code twice", "\(base)?code=abc&code=abc&state=STATE", .securityCheckFailed),
        Row("AR07 state twice", "\(base)?code=abc&state=STATE&state=STATE", .securityCheckFailed),
        Row("AR07 iss twice", "\(base)?code=abc&state=STATE&iss=https://as.example&iss=https://as.example", .securityCheckFailed),
        Row("AR07 error twice", "\(base)?error=a&error=b&state=STATE", .securityCheckFailed),
        Row("AR08 code and error", "\(base)?code=abc&error=access_denied&state=STATE", .serverRejected),
        Row("AR09 neither code nor error", "\(base)?state=STATE", .invalidResponse),
        Row("AR10 an empty code", "\(base)?code=&state=STATE", .invalidResponse),
        Row("AR11 an unknown error", "\(base)?error=consent_required&state=STATE", .serverRejected),
        Row("AR14 an error without a state", "\(base)?error=access_denied", .securityCheckFailed),
        Row("AR14 an error from another issuer", "\(base)?error=access_denied&state=STATE&iss=https://evil.example", .securityCheckFailed),
        Row("AR15 a promised iss is missing", "\(base)?code=abc&state=STATE", .securityCheckFailed, server: promising),
        Row("AR15 a promised iss is missing from an error", "\(base)?error=x&state=STATE", .securityCheckFailed, server: promising),
        Row("AR15 a promised iss is present", "\(base)?code=abc&state=STATE&iss=https%3A%2F%2Fas.example", nil, server: promising),
        Row("AR16 iss with an extra slash", "\(base)?code=abc&state=STATE&iss=https://as.example/", .securityCheckFailed),
        Row("AR16 iss in upper case", "\(base)?code=abc&state=STATE&iss=https://AS.example", .securityCheckFailed),
        Row("AR17 a correct iss, not promised", "\(base)?code=abc&state=STATE&iss=https://as.example", nil),
        Row("AR17 a wrong iss, not promised", "\(base)?code=abc&state=STATE&iss=https://evil.example", .securityCheckFailed),
        Row(
            "AR18 iss, and the issuer is unknown", "\(base)?code=abc&state=STATE&iss=https://as.example", .securityCheckFailed,
            server: nameless),
        Row("AR20 a response object", "\(base)?response=e30.e30.&state=STATE", .securityCheckFailed),
        Row("AR28 the response in the fragment", "\(base)#code=abc&state=STATE", .securityCheckFailed),
        Row("AR28 a response in both", "\(base)?code=abc&state=STATE#access_token=x", .securityCheckFailed),
        Row("AR28 an irrelevant fragment", "\(base)?code=abc&state=STATE#_=_", nil),
        Row("AR29 an access token next to the code", "\(base)?code=abc&state=STATE&access_token=x", .securityCheckFailed),
        Row("AR29 an ID token next to the code", "\(base)?code=abc&state=STATE&id_token=x", .securityCheckFailed),
        Row("AR35 a broken escape", "\(base)?code=%4&state=STATE", .invalidResponse),
        Row("AR35 overlong UTF-8", "\(base)?code=%C0%AF&state=STATE", .invalidResponse),
        Row("AR35 NUL", "\(base)?code=a%00b&state=STATE", .invalidResponse),
        Row("AR67 a description in ISO 8859-1", "\(base)?error=access_denied&error_description=Refus%E9&state=STATE", .serverRejected),
        Row(
            "AR67 a description with a bare percent sign", "\(base)?error=server_error&error_description=100%+full&state=STATE",
            .serverRejected),
        Row("AR67 an unknown parameter in Shift JIS", "\(base)?code=abc&state=STATE&city=%93%8C%8B%9E", nil),
        Row("AR67 an unknown parameter whose name cannot be decoded", "\(base)?code=abc&state=STATE&%FC=1", nil),
        Row("AR67 a surrogate in UTF-8", "\(base)?code=abc&state=STATE&name=%ED%A0%BD", nil),
        Row("AR67 a state that cannot be decoded", "\(base)?code=abc&state=STATE%FC", .securityCheckFailed),
        Row("AR67 an iss that cannot be decoded", "\(base)?code=abc&state=STATE&iss=https://as.example%FC", .invalidResponse),
        Row(
            "AR67 a state in the fragment, next to what cannot be decoded", "\(base)?code=abc&state=STATE#x=%FC&state=y",
            .securityCheckFailed),
        Row("TR54 an empty ID token next to the code", "\(base)?code=abc&state=STATE&id_token=", nil),
        Row("AR43 more than 100 parameters", "\(base)?code=abc&state=STATE" + String(repeating: "&x=1", count: 100), .invalidResponse),
        Row("AR43 more than 64 KiB", "\(base)?code=abc&state=STATE&x=" + String(repeating: "x", count: 65_536), .invalidResponse),
        Row("AR56 a redirect URI with a query", "\(base)?tenant=7&code=abc&state=STATE", nil, redirect: "\(base)?tenant=7"),
        Row("AR56 its query is missing", "\(base)?code=abc&state=STATE", .securityCheckFailed, redirect: "\(base)?tenant=7"),
        Row("AR57 unknown parameters", "\(base)?code=abc&state=STATE&color=blue&color=red", nil),
        Row("AR58 a session state", "\(base)?code=abc&state=STATE&session_state=x.y", nil),
        Row("not a URL", "code=abc&state=STATE", .securityCheckFailed),
        Row("nothing", "", .securityCheckFailed),
    ]

    @Test(arguments: rows)
    func `checks a callback as the specifications demand`(row: Row) throws {
        let request = try authorizationRequest(to: row.server, redirectURI: row.redirect)
        let callback = Secret(row.filled(with: try #require(try request.query["state"])))
        var pending = request.pending
        #expect(error { () throws(OAuthError) in try pending.accept(callback, at: now) }?.code == row.expected)
    }

    /// After a callback without the state, the listener must keep waiting, because anyone could have sent the callback.
    @Test(arguments: rows.filter { $0.expected == .securityCheckFailed })
    func `a callback that decides nothing leaves the sign-in pending`(row: Row) throws {
        let request = try authorizationRequest(to: row.server, redirectURI: row.redirect)
        let state = try #require(try request.query["state"])
        let pending = request.pending
        guard !pending.expects(Secret(row.filled(with: state))) else { return }
        var afterwards = pending
        _ = error { () throws(OAuthError) in try afterwards.accept(Secret(row.filled(with: state)), at: now) }
        let separator = row.redirect.contains("?") ? "&" : "?"
        let good = Secret("\(row.redirect)\(separator)code=abc&state=\(state)&iss=https://as.example")
        #expect(afterwards.expects(good))
    }

    @Test func `AR05: accepts the same callback once`() throws {
        let request = try authorizationRequest()
        let callback = Secret("\(redirectURI)?code=abc&state=\(try #require(try request.query["state"]))")
        var pending = request.pending
        #expect(pending.expects(callback))
        _ = try pending.accept(callback, at: now)
        #expect(!pending.expects(callback))
        #expect(error { () throws(OAuthError) in try pending.accept(callback, at: now) }?.code == .securityCheckFailed)
    }

    @Test func `AR06: rejects the state of another sign-in`() throws {
        let other = try #require(try authorizationRequest().query["state"])
        var pending = try authorizationRequest().pending
        let failure = error { () throws(OAuthError) in try pending.accept(Secret("\(redirectURI)?code=abc&state=\(other)"), at: now) }
        #expect(failure?.code == .securityCheckFailed)
    }

    @Test func `AR52: rejects a callback after the deadline`() throws {
        let request = try authorizationRequest()
        let callback = Secret("\(redirectURI)?code=abc&state=\(try #require(try request.query["state"]))")
        var pending = request.pending
        #expect(error { () throws(OAuthError) in try pending.accept(callback, at: now.addingTimeInterval(600)) }?.code == .expired)
    }

    @Test func `AR12, AR13: cleans a server's error for display, and offers only an https page`() throws {
        let request = try authorizationRequest()
        let state = try #require(try request.query["state"])
        var pending = request.pending
        let text = "no%1B%5B31m%E2%80%AEway%0A+here"
        let callback = "\(redirectURI)?error=access_denied&error_description=\(text)&error_uri=javascript:alert(1)&state=\(state)"
        let failure = error { () throws(OAuthError) in try pending.accept(Secret(callback), at: now) }
        #expect(failure?.serverError?.code == .accessDenied)
        #expect(failure?.serverError?.explanation == "no[31mway here")
        #expect(failure?.serverError?.uri == nil)
    }

    @Test func `ER01: a printed sign-in shows none of its secrets`() throws {
        let request = try authorizationRequest()
        let state = try #require(try request.query["state"])
        var pending = request.pending
        let verifier = pending.verifier.value.reveal()
        let code = try pending.accept(Secret("\(redirectURI)?code=c0de&state=\(state)"), at: now)
        var printed = "\(pending) \(code)"
        dump(pending, to: &printed)
        dump(code, to: &printed)
        let exchange = try TokenRequest.exchange(code, client: client, at: plainServer)
        dump(exchange.message.body, to: &printed)
        for secret in [state, verifier, "c0de", "s3cret"] { #expect(!printed.contains(secret)) }
    }
}

extension AuthorizationResponseTests.Row {
    func filled(with state: String) -> String {
        callback
            .replacing("LOWERSTATE", with: state.lowercased() == state ? state.uppercased() : state.lowercased())
            .replacing("PREFIXSTATE", with: state.dropLast())
            .replacing("STATE", with: state)
    }
}
