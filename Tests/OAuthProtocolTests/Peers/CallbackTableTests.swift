import AuthHubPrimitives
import Testing

@testable import OAuthProtocol

/// Rules about callbacks, from the tests and bugs of other libraries; see `docs/checks.md`. In the rows, `STATE` stands for the
/// request's own state.
struct CallbackTableTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let callback: String
        /// The expected error; nil if the callback contains a code.
        let expected: OAuthError.Code?
        /// Whether the callback is ignored and the sign-in keeps waiting for its own.
        var isPassedOver = false
    }

    private static let redirect = "com.example:/callback"

    @Test(arguments: [
        Row(
            testDescription: "Okta: another scheme", callback: "urn:foo:bar?code=foo&state=STATE", expected: .securityCheckFailed,
            isPassedOver: true),
        Row(
            testDescription: "Okta: another path", callback: "com.example:/?code=foo&state=STATE", expected: .securityCheckFailed,
            isPassedOver: true),
        Row(
            testDescription: "Okta: no state", callback: "com.example:/callback?code=foo", expected: .securityCheckFailed,
            isPassedOver: true),
        Row(
            testDescription: "Okta: a different state", callback: "com.example:/callback?code=foo&state=abcd",
            expected: .securityCheckFailed,
            isPassedOver: true),
        Row(testDescription: "Okta: the state without a code", callback: "com.example:/callback?state=STATE", expected: .invalidResponse),
        Row(
            testDescription: "Okta: the server's error, with the state",
            callback: "com.example:/callback?error=access_denied&error_description=some+error+message&state=STATE",
            expected: .serverRejected),
        Row(
            testDescription: "Okta, where it differs: the server's error without a state belongs to no sign-in",
            callback: "com.example:/callback?error=access_denied&error_description=some+error+message", expected: .securityCheckFailed,
            isPassedOver: true),
        Row(
            testDescription: "Okta, where it differs: the server's error with a different state belongs to no sign-in",
            callback: "com.example:/callback?error=access_denied&state=abcd", expected: .securityCheckFailed, isPassedOver: true),
        Row(testDescription: "Okta: a code with the state", callback: "com.example:/callback?code=foo&state=STATE", expected: nil),
        Row(
            testDescription: "OAuthSwift: a token in the fragment, without a state",
            callback: "com.example:/callback#access_token=t&token_type=bearer", expected: .securityCheckFailed, isPassedOver: true),
        Row(
            testDescription: "OAuthSwift: a token in the fragment, with the state",
            callback: "com.example:/callback#access_token=t&token_type=bearer&state=STATE", expected: .securityCheckFailed,
            isPassedOver: true),
        Row(
            testDescription: "OAuthSwift: a token in the query, with the state",
            callback: "com.example:/callback?access_token=t&token_type=bearer&state=STATE", expected: .securityCheckFailed),
        Row(
            testDescription: "p2/OAuth2: the first eight characters of the state",
            callback: "com.example:/callback?code=foo&state=EIGHT", expected: .securityCheckFailed, isPassedOver: true),
        Row(
            testDescription: "p2/OAuth2: both a code and an error",
            callback: "com.example:/callback?code=foo&error=invalid_scope&state=STATE",
            expected: .serverRejected),
    ])
    func `checks the callbacks in other libraries' tables`(row: Row) throws {
        let request = try authorizationRequest(redirectURI: Self.redirect)
        let state = try #require(try request.query["state"])
        let callback = Secret(row.callback.replacing("STATE", with: state).replacing("EIGHT", with: state.prefix(8)))
        var pending = request.pending
        #expect(pending.expects(callback) == !row.isPassedOver)
        let failure = error { () throws(OAuthError) in try pending.accept(callback, at: now) }
        #expect(failure?.code == row.expected)
        #expect(pending.expects(Secret("\(Self.redirect)?code=foo&state=\(state)")) == row.isPassedOver)
    }

    @Test func `Okta: a plus in the server's explanation is a space`() throws {
        let request = try authorizationRequest(redirectURI: Self.redirect)
        let state = try #require(try request.query["state"])
        var pending = request.pending
        let callback = Secret("\(Self.redirect)?error=access_denied&error_description=some+error+message&state=\(state)")
        let failure = error { () throws(OAuthError) in try pending.accept(callback, at: now) }
        #expect(failure?.serverError?.explanation == "some error message")
    }

    @Test func `OAuthenticator: exchanges the code of the callback, whatever the URL of the page contains`() throws {
        var server = plainServer
        server.endpoints?.authorization = "https://as.example/authorize?code=decoy"
        let request = try authorizationRequest(to: server)
        let state = try #require(try request.query["state"])
        #expect(request.url.contains("code=decoy"))
        var pending = request.pending
        let code = try pending.accept(Secret("\(redirectURI)?code=own&state=\(state)"), at: now)
        let exchange = try TokenRequest.exchange(code, client: client, at: server)
        let form = try FormParameters(decoding: String(decoding: exchange.message.body.reveal(), as: UTF8.self))
        #expect(form.values(named: "code") == ["own"])
    }

    @Test func `OAuthenticator: the URL of the page is not a callback`() throws {
        var server = plainServer
        server.endpoints?.authorization = "https://as.example/authorize?code=decoy"
        let request = try authorizationRequest(to: server)
        #expect(!request.pending.expects(Secret(request.url)))
    }
}
