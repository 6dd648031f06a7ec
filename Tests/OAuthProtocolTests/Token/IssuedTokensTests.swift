import AuthHubPrimitives
import HTTPTypes
import Testing

@testable import OAuthProtocol

/// Tests which tokens are found in a rejected response.
struct IssuedTokensTests {
    private static let good = #""access_token":"new-access","token_type":"Bearer","refresh_token":"new-refresh""#

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: String
        var status = 200
        var mediaType: String? = "application/json"
        var accessToken: String? = "new-access"
        var refreshToken: String? = "new-refresh"
        var mustBeRevoked = false

        init(
            _ description: String, _ body: String, status: Int = 200, as mediaType: String? = "application/json",
            accessToken: String? = "new-access", refreshToken: String? = "new-refresh", mustBeRevoked: Bool = false
        ) {
            testDescription = description
            self.body = body
            self.status = status
            self.mediaType = mediaType
            self.accessToken = accessToken
            self.refreshToken = refreshToken
            self.mustBeRevoked = mustBeRevoked
        }
    }

    @Test(arguments: [
        Row("TR46 no access token", #"{"token_type":"Bearer","refresh_token":"new-refresh"}"#, accessToken: nil),
        Row(
            "TR46 an access token that is a number", #"{"access_token":7,"token_type":"Bearer","refresh_token":"new-refresh"}"#,
            accessToken: nil),
        Row(
            "TR46 an access token with a line feed", #"{"access_token":"a\nb","token_type":"Bearer","refresh_token":"new-refresh"}"#,
            accessToken: nil),
        Row("TR46 no token type", #"{"access_token":"new-access","refresh_token":"new-refresh"}"#),
        Row(
            "TR47 an unknown token type", #"{"access_token":"new-access","token_type":"mac","refresh_token":"new-refresh"}"#,
            mustBeRevoked: true),
        Row(
            "TR47 a token type that is not a string", #"{"access_token":"new-access","token_type":7,"refresh_token":"new-refresh"}"#,
            mustBeRevoked: true),
        Row("TR46 an error next to the tokens", #"{"error":"invalid_scope",\#(good)}"#),
        Row("TR46 an error that is a number", #"{"error":7,\#(good)}"#),
        Row("TR46 bytes after the object", "{\(good)}x"),
        Row("TR46 a web page with a missing brace", " {\(good)", as: "text/html"),
        Row("TR52 text before the object", "Warning: deprecated\n{\(good)}", accessToken: nil, refreshToken: nil),
        Row("TR52 a web page around it", "<pre>{\(good)}</pre>", as: "text/html", accessToken: nil, refreshToken: nil),
        Row("TR52 a script in a web page", "<html><script>var x={\(good)}</script>", as: "text/html", accessToken: nil, refreshToken: nil),
        Row("TR52 a script", "callback({\(good)})", as: "application/javascript", accessToken: nil, refreshToken: nil),
        Row(
            "TR52 a form in a web page", "<p>&access_token=new-access&refresh_token=new-refresh", as: "text/html", accessToken: nil,
            refreshToken: nil),
        Row("TR46 a duplicate refresh token", #"{"refresh_token":"other",\#(good)}"#),
        Row("TR46 another duplicate member", #"{"x":1,"x":2,\#(good)}"#),
        Row("TR46 a missing bracket", "{\(good)"),
        Row(
            "TR52 a form declared as plain text", "access_token=new-access&token_type=Bearer&refresh_token=new-refresh", as: "text/plain",
            accessToken: nil, refreshToken: nil),
        Row(
            "TR46 a form with a duplicate parameter", "x=1&x=2&access_token=new-access&refresh_token=new-refresh",
            as: "application/x-www-form-urlencoded"),
        Row("an error status issues nothing", #"{"error":"invalid_grant",\#(good)}"#, status: 400, accessToken: nil, refreshToken: nil),
        Row("nor does a 5xx response", "{\(good)}", status: 500, accessToken: nil, refreshToken: nil),
        Row("only an error", #"{"error":"invalid_grant"}"#, accessToken: nil, refreshToken: nil),
        Row("an invalid refresh token", #"{"refresh_token":"a\nb"}"#, accessToken: nil, refreshToken: nil),
    ])
    func `an error about a rejected response includes the tokens that it issues`(row: Row) throws {
        let failure = try #require(
            error { () throws(OAuthError) in try tokenResponse(row.body, status: row.status, mediaType: row.mediaType) })
        #expect(failure.issued?.accessToken?.reveal() == row.accessToken)
        #expect(failure.issued?.refreshToken?.reveal() == row.refreshToken)
        #expect(failure.issued?.mustBeRevoked ?? false == row.mustBeRevoked)
        var printed = "\(failure)"
        dump(failure, to: &printed)
        #expect(!printed.contains("new-"))
    }

    @Test func `TR46: a different charset in the media type does not lose a token`() throws {
        let body = Array("{\"name\":\"Andr".utf8) + [0xE9] + Array("\",\(Self.good)}".utf8)
        let head = answer(200, mediaType: "application/json; charset=iso-8859-1")
        let response = try TokenResponse(head, body: Secret(body), to: tokenRequest(for: client), from: plainServer, at: now)
        #expect(response.refreshToken?.reveal() == "new-refresh")
    }

    struct Taken: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: String
        var mediaType = "application/json"
        var irregularities = 1
    }

    @Test(arguments: [
        Taken(testDescription: "nothing odd", body: "{\(good)}", irregularities: 0),
        Taken(testDescription: "TR12 a lifetime below 0", body: #"{\#(good),"expires_in":-1}"#),
        Taken(testDescription: "TR12 a lifetime in words", body: #"{\#(good),"expires_in":"soon"}"#),
        Taken(testDescription: "TR12 a lifetime that is a list", body: #"{\#(good),"expires_in":[]}"#),
        Taken(testDescription: "TR12 the refresh token's lifetime below 0", body: #"{\#(good),"refresh_token_expires_in":-1}"#),
        Taken(testDescription: "TR13 a lifetime of 0", body: #"{\#(good),"expires_in":0}"#),
        Taken(testDescription: "TR13 a lifetime of 0 as a string", body: #"{\#(good),"expires_in":"0"}"#),
        Taken(testDescription: "TR13 the refresh token's lifetime of 0", body: #"{\#(good),"refresh_token_expires_in":0}"#),
        Taken(
            testDescription: "TR15 an empty refresh token",
            body: #"{"access_token":"new-access","token_type":"Bearer","refresh_token":""}"#,
            irregularities: 0),
        Taken(testDescription: "TR17 a scope that is an empty list", body: #"{\#(good),"scope":[]}"#),
        Taken(testDescription: "TR17 a scope that is a number", body: #"{\#(good),"scope":7}"#),
        Taken(testDescription: "TR20 a byte order mark", body: "\u{FEFF}{\(good)}"),
        Taken(testDescription: "TR24 JSON declared as a web page", body: "{\(good)}", mediaType: "text/html; charset=utf-8"),
        Taken(testDescription: "TR45 an empty error", body: #"{"error":"",\#(good)}"#),
        Taken(testDescription: "TR45 false for the error", body: #"{"error":false,\#(good)}"#),
        Taken(testDescription: "TR45 an empty object for the error", body: #"{"error":{},\#(good)}"#),
        Taken(testDescription: "TR45 null for the error", body: #"{"error":null,\#(good)}"#, irregularities: 0),
    ])
    func `accepts and reports harmless irregularities`(row: Taken) throws {
        let response = try tokenResponse(row.body, mediaType: row.mediaType)
        #expect(response.accessToken == Secret("new-access"))
        #expect(response.scope == ["read"])
        #expect(response.expiresAt == nil && response.refreshTokenExpiresAt == nil)
        #expect(response.irregularities.count == row.irregularities)
        #expect(response.irregularities.allSatisfy { !$0.contains("new-") && !$0.contains("soon") })
    }

    @Test func `TR06: a refresh response without a type keeps the type of the refreshed token`() throws {
        let request = try tokenRequest()
        let body = #"{"access_token":"new-access","refresh_token":"new-refresh"}"#
        let response = try TokenResponse(answer(200), body: bytes(body), to: request, from: plainServer, at: now)
        #expect(response.tokenType == .bearer)
        #expect(response.irregularities.count == 1)
    }
}
