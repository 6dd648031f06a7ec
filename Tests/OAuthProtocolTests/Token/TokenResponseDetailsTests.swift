import AuthHubPrimitives
import HTTPTypes
import Testing

@testable import OAuthProtocol

/// Tests the information about a response of the token endpoint. `TokenResponseTests` covers which responses are accepted.
struct TokenResponseDetailsTests {
    private static let token = #"{"access_token":"a","token_type":"Bearer"}"#

    private func failure(
        _ body: String, status: Int = 200, mediaType: String? = "application/json", from server: ProviderProfile = plainServer
    ) -> OAuthError? {
        error { () throws(OAuthError) in try tokenResponse(body, status: status, mediaType: mediaType, from: server) }
    }

    @Test func `TR01: reports code, description, page and status of an error`() {
        let body = #"{"error":"invalid_grant","error_description":"used before","error_uri":"https://as.example/help"}"#
        let told = failure(body, status: 400)?.serverError
        #expect(told == ServerError(code: .invalidGrant, explanation: "used before", uri: "https://as.example/help", status: 400))
    }

    @Test func `TR04, TR05: an access token is visible ASCII, and not an object`() throws {
        #expect(failure(#"{"access_token":{"value":"a"},"token_type":"Bearer"}"#)?.code == .invalidResponse)
        #expect(failure(#"{"access_token":true,"token_type":"Bearer"}"#)?.code == .invalidResponse)
        for scalar in (0...0x20).map({ $0 }) + [0x7F, 0x80, 0xA0, 0xE9, 0x2028, 0x1F600] {
            let token = JSONValue.string("a" + String(Unicode.Scalar(UInt32(scalar)).map(Character.init) ?? " ") + "b")
            let body = (["access_token": token, "token_type": "Bearer"] as JSONValue).serialized()
            #expect(failure(String(decoding: body, as: UTF8.self))?.code == .invalidResponse, "U+\(String(scalar, radix: 16))")
        }
        let all = String(decoding: (0x21...0x7E).map(UInt8.init), as: UTF8.self)
        let body = (["access_token": .string(all), "token_type": "Bearer"] as JSONValue).serialized()
        #expect(try tokenResponse(String(decoding: body, as: UTF8.self)).accessToken == Secret(all))
    }

    @Test func `TR06: a response may omit the token type if the profile has one`() throws {
        var server = plainServer
        server.defaultTokenType = .bearer
        #expect(try tokenResponse(#"{"access_token":"a"}"#, from: server).tokenType == .bearer)
        #expect(failure(#"{"access_token":"a","token_type":7}"#, from: server)?.code == .invalidResponse)
    }

    @Test(arguments: ["mac", "Application Access Token", "", "Bearer ", "N_A", "DPoP", "dpop"])
    func `TR07, TR10: rejects a token that must be presented in a different way than requested`(type: String) {
        #expect(failure("{\"access_token\":\"a\",\"token_type\":\"\(type)\"}")?.code == .invalidResponse)
    }

    @Test(arguments: [
        ("a name", "mac", true), ("a token", "gho_16C7e42F292c6912E7710c838347Ae178B4a", false),
        ("a short token in a sentence", "e=s3cr3t&Bearer", false),
    ])
    func `TR07: reports an unknown type by its name, but not a token in its place`(description: String, type: String, isShown: Bool) {
        let failure = failure("{\"access_token\":\"a\",\"token_type\":\"\(type)\"}")
        #expect(failure?.code == .invalidResponse)
        #expect(failure?.explanation.contains(type) == isShown)
    }

    @Test(arguments: [
        #""e30.e30.""#, #""eyJhbGciOiJub25lIn0.eyJzY29wZSI6ImFkbWluIiwiZXhwIjoxfQ.""#, #""""#, "7", "null", #"{"sub":"someone"}"#,
    ])
    func `TR19: draws no conclusions from an unvalidated ID token, whatever it contains`(written: String) throws {
        let plain = try tokenResponse(#"{"access_token":"a","token_type":"Bearer","expires_in":60,"scope":"read"}"#)
        let response = try tokenResponse(
            "{\"access_token\":\"a\",\"token_type\":\"Bearer\",\"expires_in\":60,\"scope\":\"read\",\"id_token\":\(written)}")
        #expect(response.accessToken == plain.accessToken)
        #expect(response.expiresAt == plain.expiresAt)
        #expect(response.refreshToken == nil)
        #expect(response.scope == plain.scope)
        #expect(response.member("sub") == nil)
    }

    @Test(arguments: [
        ("TR20 JSON by its media type", "application/json; charset=utf-8", "HTTP 200, application/json"),
        ("TR20 a picture", "image/png", "HTTP 200, image/png"), ("TR20 nothing", nil, "HTTP 200, no media type"),
    ])
    func `TR20: the error about an unreadable body contains status and media type`(
        description: String, mediaType: String?, says: String
    ) {
        let failure = failure("access granted", mediaType: mediaType)
        #expect(failure?.explanation.contains(says) == true, "\(failure?.explanation ?? "")")
    }

    @Test(arguments: [
        ("invalid_request", ServerErrorCode.invalidRequest), ("invalid_client", .invalidClient), ("invalid_grant", .invalidGrant),
        ("unauthorized_client", .unauthorizedClient), ("unsupported_grant_type", .unsupportedGrantType),
        ("invalid_scope", .invalidScope), ("invalid_target", .invalidTarget),
    ])
    func `TR34: each error of the specifications has its name`(written: String, code: ServerErrorCode) {
        #expect(failure("{\"error\":\"\(written)\"}", status: 400)?.serverError?.code == code)
    }

    @Test func `TR16: reports the granted scope, whether it is less or more than requested`() throws {
        let asked = try TokenRequest.refresh(Secret("r"), scope: ["read", "write"], client: client, at: plainServer)
        func granted(_ scope: String) throws -> Scope {
            let body = "{\"access_token\":\"a\",\"token_type\":\"Bearer\"\(scope)}"
            let head = HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"])
            return try TokenResponse(head, body: Secret(Array(body.utf8)), to: asked, from: plainServer, at: now).scope
        }
        #expect(try granted("") == ["read", "write"])
        #expect(try granted(#","scope":"read""#) == ["read"])
        #expect(try granted(#","scope":"read admin""#) == ["read", "admin"])
        #expect(try granted(#","scope":"""#) == [])
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `TR26: follows no redirect, whatever it would do with the request`(status: Int) {
        let failure = error { () throws(OAuthError) in
            try tokenResponse(Self.token, status: status, headers: [.location: "https://evil.example:8443/steal"])
        }
        #expect(failure?.code == .invalidResponse)
        #expect(failure?.explanation.contains("https://evil.example:8443") == true)
    }

    @Test func `RQ08: some of the characters that encoders disagree about stay unescaped in Basic credentials`() throws {
        let client = OAuthClient(id: "-_.!~*'()", secret: Secret("-_.!~*'(): %é"), authentication: .basic)
        let message = try TokenRequest.refresh(Secret("r"), scope: [], client: client, at: plainServer).message
        #expect(
            message.head.headerFields[.authorization] == "Basic LV8uJTIxJTdFKiUyNyUyOCUyOTotXy4lMjElN0UqJTI3JTI4JTI5JTNBKyUyNSVDMyVBOQ==")
    }

    @Test(arguments: [nil, "public, max-age=3600", "no-cache", "no-store"])
    func `TR40: accepts a response whatever its caching header fields say`(cacheControl: String?) throws {
        var headers: HTTPFields = [:]
        headers[.cacheControl] = cacheControl
        #expect(try tokenResponse(Self.token, headers: headers).accessToken == Secret("a"))
    }

    @Test func `RV02: names the error of a server that cannot revoke now, or not this token`() throws {
        let request = try #require(
            try RevocationRequest.revoking(accessToken: Secret("a"), refreshToken: nil, client: client, at: plainServer).first)
        func answer(_ status: Int, _ body: String, retryAfter: String? = nil) -> ServerError? {
            var head = HTTPResponse(status: .init(code: status), headerFields: [.contentType: "application/json"])
            head.headerFields[.retryAfter] = retryAfter
            return error { [head] () throws(OAuthError) in
                try request.checkResponse(head, body: Secret(Array(body.utf8)), from: plainServer)
            }?.serverError
        }
        #expect(answer(503, "", retryAfter: "7")?.retryAfter == 7)
        #expect(answer(503, "", retryAfter: "7")?.code == .temporarilyUnavailable)
        #expect(answer(400, #"{"error":"unsupported_token_type"}"#)?.code == .unsupportedTokenType)
    }
}
