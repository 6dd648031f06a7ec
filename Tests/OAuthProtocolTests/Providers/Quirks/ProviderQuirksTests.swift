import AuthHubPrimitives
import HTTPTypes
import Platform
import Testing

@testable import OAuthProtocol

/// Tests each quirk by itself, without a provider: it changes a message, and without it, the message stays the same.
struct ProviderQuirksTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: String
        let mediaType: String
        let habit: @Sendable (inout ProviderProfile) -> Void

        init(
            _ description: String, _ body: String, as mediaType: String = "application/json",
            _ habit: @escaping @Sendable (inout ProviderProfile) -> Void
        ) {
            testDescription = description
            self.body = body
            self.mediaType = mediaType
            self.habit = habit
        }
    }

    @Test(arguments: [
        Row("TR06 a token without a type", #"{"access_token":"a"}"#) { $0.defaultTokenType = .bearer },
        Row("TR07 the provider's own type, in any case", #"{"access_token":"a","token_type":"User Access Token"}"#) {
            $0.quirks.responses.tokenTypes = ["user access token": .bearer]
        },
        Row("TR25 a form sent as plain text", "access_token=a&token_type=Bearer", as: "text/plain; charset=utf-8") {
            $0.quirks.responses.encodings = [.json, .formAsPlainText]
        },
        Row("TR44 tokens inside another member", #"{"ok":true,"authed_user":{"access_token":"a","token_type":"Bearer"}}"#) {
            $0.quirks.responses.envelope = "authed_user"
        },
        Row("a token under another name, nested", #"{"data":[{"token":"a"}],"token_type":"Bearer"}"#) {
            $0.quirks.responses.accessToken = "data.0.token"
        },
    ])
    func `accepts an otherwise rejected response if the profile says so`(row: Row) throws {
        #expect(throws: OAuthError.self) { try tokenResponse(row.body, mediaType: row.mediaType) }
        var server = plainServer
        row.habit(&server)
        let response = try tokenResponse(row.body, mediaType: row.mediaType, from: server)
        #expect(response.accessToken == Secret("a"))
    }

    @Test(arguments: [
        Row("TR25 a form if only JSON is accepted", "access_token=a&token_type=Bearer", as: "application/x-www-form-urlencoded") {
            $0.quirks.responses.encodings = [.json]
        },
        Row(
            "TR44 an envelope without a token does not use a token outside it",
            #"{"authed_user":{"access_token":""},"access_token":"a","token_type":"Bearer"}"#
        ) {
            $0.quirks.responses.envelope = "authed_user"
        },
        Row("an error if ok is false", #"{"ok":false,"access_token":"a","token_type":"Bearer"}"#) {
            $0.quirks.responses.errors = [.init(sign: "ok", value: false, code: "error")]
        },
    ])
    func `rejects an otherwise accepted response if the profile says so`(row: Row) throws {
        _ = try tokenResponse(row.body, mediaType: row.mediaType)
        var server = plainServer
        row.habit(&server)
        #expect(throws: OAuthError.self) { try tokenResponse(row.body, mediaType: row.mediaType, from: server) }
    }

    @Test func `TR17: commas separate granted scopes only if the profile says so`() throws {
        let body = #"{"access_token":"a","token_type":"Bearer","scope":"read,write"}"#
        let plain = try tokenResponse(body)
        #expect(plain.scope == ["read"] && plain.irregularities.count == 1, "unknown: as requested")
        var server = plainServer
        server.grantedScopeSeparators = [","]
        #expect(try tokenResponse(body, from: server).scope == ["read", "write"])
        server.quirks.responses.scope = "scopes"
        #expect(try tokenResponse(body, from: server).scope == ["read"], "not told: as asked for")
    }

    @Test func `TR37: reads an expiry as a time and a refresh token's lifetime under its own name, and keeps other members`() throws {
        var server = plainServer
        server.quirks.responses.expiry = "expires_at"
        server.quirks.responses.refreshTokenLifetime = "refresh_expires_in"
        let response = try tokenResponse(
            #"{"access_token":"a","token_type":"Bearer","expires_at":1800003600,"refresh_token":"r","refresh_expires_in":60,"#
                + #""instance_url":"https://eu.example","issued_at":"1800000000000"}"#, from: server)
        #expect(response.expiresAt == now.addingTimeInterval(3600))
        #expect(response.refreshTokenExpiresAt == now.addingTimeInterval(60))
        #expect(response.member("instance_url")?.reveal().string == "https://eu.example")
        #expect(response.member("issued_at")?.reveal().string == "1800000000000")
        let both = #"{"access_token":"a","token_type":"Bearer","expires_at":1,"expires_in":60}"#
        #expect(try tokenResponse(both, from: server).expiresAt == now.addingTimeInterval(60), "a lifetime does not depend on two clocks")
    }

    @Test(arguments: [#""soon""#, "-1", "true", "[]"])
    func `TR37: an expiry that is not a time counts as unknown`(written: String) throws {
        var server = plainServer
        server.quirks.responses.expiry = "expires_at"
        let response = try tokenResponse(
            "{\"access_token\":\"a\",\"token_type\":\"Bearer\",\"expires_at\":\(written)}", from: server)
        #expect(response.expiresAt == nil)
        #expect(response.irregularities.count == 1)
    }

    @Test func `TR17: reads a scope that is a list if the profile says so`() throws {
        var server = plainServer
        let body = #"{"access_token":"a","token_type":"Bearer","scope":["read","write"]}"#
        #expect(try tokenResponse(body, from: server).scope == ["read"])
        server.quirks.responses.scopeMayBeList = true
        #expect(try tokenResponse(body, from: server).scope == ["read", "write"])
    }

    @Test(arguments: [
        ("TR02 ok:false with status 200", 200, #"{"ok":false,"error":"invalid_code"}"#, "slack", ServerErrorCode.invalidGrant),
        ("a message and a status", 400, #"{"status":400,"message":"Invalid refresh token"}"#, "twitch", .invalidGrant),
        (
            "a list", 400, #"{"errors":[{"errorType":"invalid_grant","message":"Refresh token invalid"}],"success":false}"#, "fitbit",
            .invalidGrant
        ),
        ("an object", 400, #"{"error":{"message":"No.","type":"OAuthException","code":1}}"#, "facebook", .invalidClient),
        ("a number", 401, #"{"message":"Unauthorized","error":401}"#, "reddit", .invalidClient),
        (
            "fields", 400, #"{"message":"Bad Request","errors":[{"resource":"RefreshToken","field":"refresh_token","code":"invalid"}]}"#,
            "strava", .invalidGrant
        ),
    ])
    func `TR02: recognizes errors in every format`(row: (String, Int, String, String, ServerErrorCode)) throws {
        let server = try #require(ProviderProfile.builtIn(row.3)).profile()
        let failure = error { () throws(OAuthError) in try tokenResponse(row.2, status: row.1, from: server) }
        #expect(failure?.serverError?.code == row.4)
        #expect(failure?.serverError?.status == row.1)
    }

    @Test func `requests are JSON with other names and additional fields if the profile says so`() throws {
        var server = plainServer
        server.clientAuthentication = .post
        server.quirks.requests.encoding = .json
        server.quirks.requests.names = ["client_id": "client_key"]
        server.quirks.requests.parameters = [.refresh: ["audience": "api"], .codeExchange: ["other": "no"]]
        server.quirks.requests.headers = ["X-Version": "1", "X-Client": "id {client_id}"]
        server.quirks.requests.accept = "application/vnd.example+json"
        let message = try tokenRequest(at: server).message
        let sent = try JSONValue(strict: message.body.reveal())
        #expect(
            sent == [
                "grant_type": "refresh_token", "refresh_token": "old-refresh", "audience": "api", "client_key": "a client",
                "client_secret": "s3cret",
            ])
        let fields = message.head.headerFields
        #expect(fields[.contentType] == "application/json")
        #expect(fields[.accept] == "application/vnd.example+json")
        let names = try ["X-Version", "X-Client"].map { try #require(HTTPField.Name($0)) }
        #expect(names.map { fields[$0] } == ["1", "id a client"])
    }

    @Test func `RFC 8707: JSON requests keep all of several resources`() throws {
        var server = plainServer
        server.quirks.requests.encoding = .json
        let resources = ["https://a.example", "https://b.example", "https://c.example"].compactMap { ResourceIndicator($0) }
        let client = OAuthClient(id: "a client", secret: Secret("s3cret"))
        let message = try TokenRequest.clientCredentials(scope: [], resources: resources, client: client, at: server).message
        let sent = try JSONValue(strict: message.body.reveal())
        #expect(sent["resource"] == ["https://a.example", "https://b.example", "https://c.example"])
    }

    @Test func `a client without a secret authenticates with Basic if the profile says so`() throws {
        var server = plainServer
        server.clientAuthentication = .basic
        let secretless = OAuthClient(id: "a client")
        #expect(throws: OAuthError.self) { try TokenRequest.refresh(Secret("r"), scope: [], client: secretless, at: server) }
        server.quirks.requests.clientWithoutSecret = .basicWithEmptyPassword
        let request = try TokenRequest.refresh(Secret("r"), scope: [], client: secretless, at: server)
        #expect(request.message.head.headerFields[.authorization] == "Basic YStjbGllbnQ6")
        server.quirks.requests.clientWithoutSecret = .clientIDInTheBody
        let other = try TokenRequest.refresh(Secret("r"), scope: [], client: secretless, at: server)
        #expect(String(decoding: other.message.body.reveal(), as: UTF8.self).hasSuffix("&client_id=a+client"))
    }

    @Test func `the code challenge is hexadecimal, or absent, if the profile says so`() throws {
        let verifier = try CodeVerifier(Secret("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))
        #expect(verifier.hexadecimalChallenge == "13d31e961a1ad8ec2f16b10c4c982e0876a878ad6df144566ee1894acb70f9c3")
        var server = plainServer
        server.quirks.authorization.codeChallenge = .s256InHexadecimal
        #expect(try authorizationRequest(to: server).query["code_challenge"]?.utf8.count == 64)
        server.quirks.authorization.codeChallenge = .withoutCodeChallengeBecauseTheProviderRejectsIt(reason: "a test")
        let query = try authorizationRequest(to: server).query
        #expect(query["code_challenge"] == nil)
        #expect(query["code_challenge_method"] == nil)
    }

    @Test func `profiles without quirks share storage, and changing a copy leaves the original as it is`() {
        var changed = plainServer
        changed.quirks.api.headers = ["X": "1"]
        #expect(plainServer.quirks.api.headers.isEmpty)
        #expect(changed.quirks.api.headers == ["X": "1"])
    }

    @Test(arguments: ["", ".", "a.", ".a", "a..b"])
    func `rejects a path with an empty segment`(text: String) {
        #expect(MemberPath(text) == nil)
    }
}
