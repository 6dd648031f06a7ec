import AuthHubPrimitives
import HTTPTypes
import Platform
import Testing

@testable import OAuthProtocol

struct TokenResponseTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: String
        let expected: OAuthError.Code?
        let status: Int
        let mediaType: String?
        let headers: HTTPFields

        init(
            _ description: String, _ body: String, _ expected: OAuthError.Code?, status: Int = 200,
            as mediaType: String? = "application/json",
            headers: HTTPFields = [:]
        ) {
            testDescription = description
            self.body = body
            self.expected = expected
            self.status = status
            self.mediaType = mediaType
            self.headers = headers
        }
    }

    @Test(arguments: [
        Row("a token", #"{"access_token":"a","token_type":"Bearer"}"#, nil),
        Row("TR01 an error with 400", #"{"error":"invalid_grant"}"#, .serverRejected, status: 400),
        Row("TR01 an error with 401", #"{"error":"invalid_client"}"#, .serverRejected, status: 401),
        Row("TR02 an error with 200", #"{"error":"bad_verification_code"}"#, .serverRejected),
        Row("TR03 no access token", #"{"token_type":"Bearer"}"#, .invalidResponse),
        Row("TR04 an empty access token", #"{"access_token":"","token_type":"Bearer"}"#, .invalidResponse),
        Row("TR04 a null access token", #"{"access_token":null,"token_type":"Bearer"}"#, .invalidResponse),
        Row("TR04 a number", #"{"access_token":7,"token_type":"Bearer"}"#, .invalidResponse),
        Row("TR04 an array", #"{"access_token":["a"],"token_type":"Bearer"}"#, .invalidResponse),
        Row("TR05 a line break", #"{"access_token":"a\r\nX: y","token_type":"Bearer"}"#, .invalidResponse),
        Row("TR05 a space", #"{"access_token":"a b","token_type":"Bearer"}"#, .invalidResponse),
        Row("TR05 beyond ASCII", #"{"access_token":"ä","token_type":"Bearer"}"#, .invalidResponse),
        Row("TR06 no token type", #"{"access_token":"a"}"#, .invalidResponse),
        Row("TR07 an unknown token type", #"{"access_token":"a","token_type":"mac"}"#, .invalidResponse),
        Row("TR08 a token type in mixed case", #"{"access_token":"a","token_type":"bEARER"}"#, nil),
        Row("TR12 a negative lifetime", #"{"access_token":"a","token_type":"Bearer","expires_in":-1}"#, nil),
        Row("TR12 a lifetime that is true", #"{"access_token":"a","token_type":"Bearer","expires_in":true}"#, nil),
        Row("TR12 a lifetime in words", #"{"access_token":"a","token_type":"Bearer","expires_in":"soon"}"#, nil),
        Row("TR12 a lifetime that is NaN", #"{"access_token":"a","token_type":"Bearer","expires_in":"NaN"}"#, nil),
        Row("TR12 a lifetime too large to represent", #"{"access_token":"a","token_type":"Bearer","expires_in":1e400}"#, nil),
        Row("TR14 null members", #"{"access_token":"a","token_type":"Bearer","expires_in":null,"refresh_token":null,"scope":null}"#, nil),
        Row("TR15 an empty refresh token", #"{"access_token":"a","token_type":"Bearer","refresh_token":""}"#, nil),
        Row("TR15 a refresh token that is a number", #"{"access_token":"a","token_type":"Bearer","refresh_token":1}"#, nil),
        Row("TR17 a scope that is a list", #"{"access_token":"a","token_type":"Bearer","scope":["a"]}"#, nil),
        Row("TR53 half an emoji in an unknown member", #"{"access_token":"a","token_type":"Bearer","note":"\ud83d\ud83d"}"#, nil),
        Row("TR53 half an emoji in the token", #"{"access_token":"a\ud83d","token_type":"Bearer"}"#, .invalidResponse),
        Row("TR53 half an emoji in a name", #"{"access_token":"a","token_type":"Bearer","\ud83d":1}"#, .invalidResponse),
        Row(
            "TR53 a form with an undecodable parameter", "access_token=a&token_type=Bearer&note=%FC&other=5%", nil,
            as: "application/x-www-form-urlencoded"),
        Row(
            "TR53 a form with an undecodable token", "access_token=a%FC&token_type=Bearer", .invalidResponse,
            as: "application/x-www-form-urlencoded"),
        Row(
            "TR22 more than 100,000 values",
            #"{"access_token":"a","token_type":"Bearer","x":["# + String(repeating: "0,", count: 100_000) + "0]}", .invalidResponse),
        Row("TR20 not JSON", "access granted", .invalidResponse),
        Row("TR20 cut off", #"{"access_token":"a","token_ty"#, .invalidResponse),
        Row("TR20 a text", #""a""#, .invalidResponse),
        Row("TR20 an array", #"[{"access_token":"a"}]"#, .invalidResponse),
        Row("TR20 a byte order mark", "\u{FEFF}{\"access_token\":\"a\",\"token_type\":\"Bearer\"}", nil),
        Row("TR20 bytes after it", #"{"access_token":"a","token_type":"Bearer"} x"#, .invalidResponse),
        Row("TR20 nothing", "", .invalidResponse),
        Row("TR21 a duplicate member", #"{"access_token":"a","access_token":"b","token_type":"Bearer"}"#, .invalidResponse),
        Row(
            "TR21 a duplicate member, once escaped", #"{"access_token":"a","access\u005ftoken":"b","token_type":"Bearer"}"#,
            .invalidResponse),
        Row("TR22 too deep", #"{"access_token":"a","token_type":"Bearer","x":"# + String(repeating: "[", count: 10_000), .invalidResponse),
        Row(
            "TR22 larger than 1 MiB",
            #"{"access_token":"a","token_type":"Bearer","x":""# + String(repeating: "x", count: 1_048_576) + "\"}", .invalidResponse),
        Row("TR23 a web page", "<html>blocked</html>", .invalidResponse, as: "text/html; charset=utf-8"),
        Row("TR23 a web page with 403", "<html>blocked</html>", .invalidResponse, status: 403, as: "text/html"),
        Row("TR24 JSON as plain text", #"{"access_token":"a","token_type":"Bearer"}"#, nil, as: "text/plain"),
        Row("TR24 JSON without a media type", #"{"access_token":"a","token_type":"Bearer"}"#, nil, as: nil),
        Row(
            "TR25 a form by its media type", "access_token=a&token_type=Bearer", nil, as: "application/x-www-form-urlencoded; charset=utf-8"
        ),
        Row("TR25 a form as plain text, without the quirk", "access_token=a&token_type=Bearer", .invalidResponse, as: "text/plain"),
        Row(
            "TR25 a form with a duplicate parameter", "access_token=a&access_token=b&token_type=Bearer", .invalidResponse,
            as: "application/x-www-form-urlencoded"),
        Row(
            "TR25 a form with too many parameters", "access_token=a&token_type=Bearer" + (0..<99).map { "&x\($0)=" }.joined(),
            .invalidResponse, as: "application/x-www-form-urlencoded"),
        Row("TR26 301", "", .invalidResponse, status: 301, headers: [.location: "https://evil.example/"]),
        Row("TR26 307", "", .invalidResponse, status: 307, headers: [.location: "https://evil.example/"]),
        Row("TR27 401 with a challenge and no body", "", .serverRejected, status: 401, headers: [.wwwAuthenticate: "Basic realm=\"x\""]),
        Row("TR28 200 with a stray challenge", #"{"access_token":"a","token_type":"Bearer"}"#, nil, headers: [.wwwAuthenticate: "Basic"]),
        Row("TR31 429", "slow down", .serverRejected, status: 429, as: "text/plain", headers: [.retryAfter: "7"]),
        Row("TR31 503 with a page", "<html></html>", .serverRejected, status: 503, as: "text/html"),
        Row("TR33 500", "", .serverRejected, status: 500),
        Row("TR35 an error that is a number", #"{"error":7}"#, .serverRejected, status: 400),
        Row("ER02 400 without an error", #"{"message":"no"}"#, .invalidResponse, status: 400),
        Row("204", "", .invalidResponse, status: 204),
    ])
    func `checks a response of the token endpoint as the specifications demand`(row: Row) {
        let failure = error { () throws(OAuthError) in
            try tokenResponse(row.body, status: row.status, mediaType: row.mediaType, headers: row.headers)
        }
        #expect(failure?.code == row.expected)
        if let failure { #expect(!"\(failure)".contains("access granted") && !"\(failure)".contains("blocked")) }
    }

    @Test(arguments: [
        ("3600", 3600), ("\"3600\"", 3600), ("3600.0", 3600), ("3.6e3", 3600), ("1e400", 2_147_483_648),
        ("99999999999999", 2_147_483_648),
    ])
    func `TR11: parses lifetimes in every format`(written: String, seconds: Int) throws {
        let response = try tokenResponse("{\"access_token\":\"a\",\"token_type\":\"Bearer\",\"expires_in\":\(written)}")
        #expect(response.expiresAt == now.addingTimeInterval(Double(seconds)))
    }

    @Test func `TR13, TR15, TR16: missing members are unknown, unchanged, or as requested`() throws {
        let response = try tokenResponse(#"{"access_token":"a","token_type":"Bearer"}"#)
        #expect(response.expiresAt == nil)
        #expect(response.refreshToken == nil)
        #expect(response.scope == ["read"])
        #expect(try tokenResponse(#"{"access_token":"a","token_type":"Bearer","scope":""}"#).scope.isEmpty)
    }

    @Test(arguments: [#""""#, "null"])
    func `TR54: an empty token is a missing one, and not irregular`(written: String) throws {
        let body = "{\"access_token\":\"a\",\"token_type\":\"Bearer\",\"refresh_token\":\(written),\"id_token\":\(written)}"
        let response = try tokenResponse(body)
        #expect(response.refreshToken == nil && !response.hasIDToken)
        #expect(response.irregularities.isEmpty)
    }

    @Test(arguments: [
        (
            "ISO 8859-1", Array(#"{"error":"invalid_grant","error_description":"d"#.utf8) + [0xE9, 0x6A, 0xE0] + Array(#" vu"}"#.utf8),
            "d\u{FFFD}j\u{FFFD} vu"
        ),
        ("half an emoji", Array(#"{"error":"invalid_grant","error_description":"\udc00x"}"#.utf8), "\u{FFFD}x"),
        ("a byte order mark", Array("\u{FEFF}{\"error\":\"invalid_grant\",\"error_description\":\"x\"}".utf8), "x"),
    ])
    func `TR53: a description that cannot be decoded does not hide the error`(name: String, body: [UInt8], explanation: String) {
        let failure = error { () throws(OAuthError) in
            try TokenResponse(answer(400), body: Secret(body), to: tokenRequest(for: client), from: plainServer, at: now)
        }
        #expect(failure?.serverError?.code == .invalidGrant)
        #expect(failure?.serverError?.explanation == explanation)
    }

    @Test func `TR26: the error names where a redirect would have led, without its path`() {
        let failure = error { () throws(OAuthError) in
            try tokenResponse("", status: 307, headers: [.location: "https://evil.example/steal?code=1"])
        }
        #expect(failure?.explanation.contains("https://evil.example;") == true)
        #expect(failure?.explanation.contains("steal") == false)
    }

    @Test func `TR31: keeps the server's Retry-After`() {
        let failure = error { () throws(OAuthError) in try tokenResponse("", status: 429, headers: [.retryAfter: "7"]) }
        #expect(failure?.serverError?.code == .temporarilyUnavailable)
        #expect(failure?.serverError?.retryAfter == 7)
    }

    @Test func `TR35: truncates a long explanation`() {
        let body = "{\"error\":\"x\",\"error_description\":\"" + String(repeating: "y", count: 900_000) + "\"}"
        let failure = error { () throws(OAuthError) in try tokenResponse(body, status: 400) }
        #expect(failure?.serverError?.explanation?.count == 500)
    }

    @Test func `TR36: unknown members can be read`() throws {
        let response = try tokenResponse(#"{"access_token":"a","token_type":"Bearer","team":{"id":"T1"}}"#)
        #expect(response.member("team")?.reveal()["id"]?.string == "T1")
        var printed = "\(response)"
        dump(response, to: &printed)
        #expect(!printed.contains("T1"))
    }
}
