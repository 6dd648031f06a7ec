import AuthHubPrimitives
import HTTPTypes
import Testing

@testable import OAuthProtocol

struct RevocationTests {
    @Test func `RFC 7009 §2.1: revokes the refresh token first, and sends each token with its hint and the client's authentication`() throws
    {
        let requests = try RevocationRequest.revoking(
            accessToken: Secret("a"), refreshToken: Secret("r"), client: client, at: plainServer)
        let forms = try requests.map { try FormParameters(decoding: String(decoding: $0.message.body.reveal(), as: UTF8.self)) }
        #expect(forms.map { $0["token"] } == ["r", "a"])
        #expect(forms.map { $0["token_type_hint"] } == ["refresh_token", "access_token"])
        #expect(requests.allSatisfy { $0.message.head.headerFields[.authorization] != nil })
    }

    @Test func `sends no request to a server without a revocation endpoint`() throws {
        var server = plainServer
        server.endpoints?.revocation = nil
        #expect(try RevocationRequest.revoking(accessToken: Secret("a"), refreshToken: nil, client: client, at: server).isEmpty)
    }

    @Test(arguments: [
        (RevocationStyle.standard, "http://as.example/revoke"),
        (.standard, "https://as.example/revoke#fragment"),
        (.gitHub(applications: "http://api.example/applications"), "https://as.example/revoke"),
    ])
    func `does not send tokens and secrets for revocation without encryption`(style: RevocationStyle, endpoint: String) {
        var server = plainServer
        server.revocation = style
        server.endpoints?.revocation = endpoint
        let failure = error { () throws(OAuthError) in
            _ = try RevocationRequest.revoking(accessToken: Secret("a"), refreshToken: nil, client: client, at: server)
        }
        #expect(failure?.code == .configuration)
    }

    @Test func `sends no token to an account endpoint without encryption`() {
        #expect(ProviderProfile.gitHub(web: "https://github.example", api: "http://api.example").tokenOrigins.isEmpty)
    }

    @Test(arguments: [
        ("RV01 200 with nothing", 200, "", nil as OAuthError.Code?),
        ("RV01 200 with any body", 200, "<html>", nil),
        ("RV02 503", 503, "", .serverRejected),
        ("RV02 unsupported token type", 400, #"{"error":"unsupported_token_type"}"#, .serverRejected),
        ("404 with a page", 404, "<html>", .invalidResponse),
    ])
    func `checks the response to a revocation`(description: String, status: Int, body: String, expected: OAuthError.Code?) throws {
        let request = try #require(
            try RevocationRequest.revoking(accessToken: Secret("a"), refreshToken: nil, client: client, at: plainServer).first)
        let failure = error { () throws(OAuthError) in
            try request.checkResponse(
                HTTPResponse(status: .init(code: status)), body: Secret(Array(body.utf8)), from: plainServer)
        }
        #expect(failure?.code == expected, "\(description)")
    }

    @Test func `revokes a single token, with its hint if the type is known`() throws {
        let request = try #require(try RevocationRequest.revoking(Secret("a"), client: client, at: plainServer))
        #expect(try request.message.form == ["token": "a"])
        let hinted = try #require(try RevocationRequest.revoking(Secret("a"), hint: .refreshToken, client: client, at: plainServer))
        #expect(try hinted.message.form["token_type_hint"] == "refresh_token")
        let empty = error { () throws(OAuthError) in
            _ = try RevocationRequest.revoking(Secret(""), client: client, at: plainServer)
        }
        #expect(empty?.code == .misuse)
    }

    @Test func `RV02: 503 with Retry-After says when to retry, and unsupported_token_type that the token is not revoked`() throws {
        let request = try #require(try RevocationRequest.revoking(Secret("a"), client: client, at: plainServer))
        let busy = error { () throws(OAuthError) in
            try request.checkResponse(answer(503, headers: [.retryAfter: "30"]), body: bytes(""), from: plainServer)
        }
        #expect(busy?.serverError?.code == .temporarilyUnavailable)
        #expect(busy?.serverError?.retryAfter == 30)
        let refused = error { () throws(OAuthError) in
            try request.checkResponse(answer(400), body: bytes(#"{"error":"unsupported_token_type"}"#), from: plainServer)
        }
        #expect(refused?.serverError?.code == .unsupportedTokenType)
    }
}
