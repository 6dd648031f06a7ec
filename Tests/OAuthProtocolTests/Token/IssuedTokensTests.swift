import AuthHubPrimitives
import HTTPTypes
import Testing

@testable import OAuthProtocol

/// Tokens in a response that is not accepted.
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
            "TR47 a token type that is not known", #"{"access_token":"new-access","token_type":"mac","refresh_token":"new-refresh"}"#,
            mustBeRevoked: true),
        Row(
            "TR47 a token type that is no text", #"{"access_token":"new-access","token_type":7,"refresh_token":"new-refresh"}"#,
            mustBeRevoked: true),
        Row("TR46 an error beside the tokens", #"{"error":"invalid_scope",\#(good)}"#),
        Row("TR46 an error that is a number", #"{"error":7,\#(good)}"#),
        Row("TR46 bytes after the object", "{\(good)}x"),
        Row("TR46 a web page with a brace too few", " {\(good)", as: "text/html"),
        Row("TR52 words before the object", "Warning: deprecated\n{\(good)}", accessToken: nil, refreshToken: nil),
        Row("TR52 a web page around it", "<pre>{\(good)}</pre>", as: "text/html", accessToken: nil, refreshToken: nil),
        Row("TR52 a script in a web page", "<html><script>var x={\(good)}</script>", as: "text/html", accessToken: nil, refreshToken: nil),
        Row("TR52 a script", "callback({\(good)})", as: "application/javascript", accessToken: nil, refreshToken: nil),
        Row(
            "TR52 a form in a web page", "<p>&access_token=new-access&refresh_token=new-refresh", as: "text/html", accessToken: nil,
            refreshToken: nil),
        Row("TR46 the refresh token twice", #"{"refresh_token":"other",\#(good)}"#),
        Row("TR46 another member twice", #"{"x":1,"x":2,\#(good)}"#),
        Row("TR46 a bracket too few", "{\(good)"),
        Row(
            "TR52 a form that calls itself text", "access_token=new-access&token_type=Bearer&refresh_token=new-refresh", as: "text/plain",
            accessToken: nil, refreshToken: nil),
        Row(
            "TR46 a form with a parameter twice", "x=1&x=2&access_token=new-access&refresh_token=new-refresh",
            as: "application/x-www-form-urlencoded"),
        Row("a status of failure issues nothing", #"{"error":"invalid_grant",\#(good)}"#, status: 400, accessToken: nil, refreshToken: nil),
        Row("nor does a server in trouble", "{\(good)}", status: 500, accessToken: nil, refreshToken: nil),
        Row("an error alone", #"{"error":"invalid_grant"}"#, accessToken: nil, refreshToken: nil),
        Row("a refresh token that is none", #"{"refresh_token":"a\nb"}"#, accessToken: nil, refreshToken: nil),
    ])
    func `what a response issues that is not accepted is told with the error`(row: Row) throws {
        let failure = try #require(
            error { () throws(OAuthError) in try tokenResponse(row.body, status: row.status, mediaType: row.mediaType) })
        #expect(failure.issued?.accessToken?.reveal() == row.accessToken)
        #expect(failure.issued?.refreshToken?.reveal() == row.refreshToken)
        #expect(failure.issued?.mustBeRevoked ?? false == row.mustBeRevoked)
        var printed = "\(failure)"
        dump(failure, to: &printed)
        #expect(!printed.contains("new-"))
    }

    @Test func `TR46: the other charset of a name is no reason to lose a token`() throws {
        let body = Array("{\"name\":\"Andr".utf8) + [0xE9] + Array("\",\(Self.good)}".utf8)
        let head = answer(200, mediaType: "application/json; charset=iso-8859-1")
        let failure = error { () throws(OAuthError) in
            try TokenResponse(head, body: Secret(body), to: tokenRequest(for: client), from: plainServer, at: now)
        }
        #expect(failure?.issued?.refreshToken?.reveal() == "new-refresh")
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
            testDescription: "TR15 an empty refresh token", body: #"{"access_token":"new-access","token_type":"Bearer","refresh_token":""}"#
        ),
        Taken(testDescription: "TR17 a scope that is an empty list", body: #"{\#(good),"scope":[]}"#),
        Taken(testDescription: "TR17 a scope that is a number", body: #"{\#(good),"scope":7}"#),
        Taken(testDescription: "TR20 a byte order mark", body: "\u{FEFF}{\(good)}"),
        Taken(testDescription: "TR24 JSON that calls itself a web page", body: "{\(good)}", mediaType: "text/html; charset=utf-8"),
        Taken(testDescription: "TR45 an empty error", body: #"{"error":"",\#(good)}"#),
        Taken(testDescription: "TR45 false for the error", body: #"{"error":false,\#(good)}"#),
        Taken(testDescription: "TR45 an empty object for the error", body: #"{"error":{},\#(good)}"#),
        Taken(testDescription: "TR45 null for the error", body: #"{"error":null,\#(good)}"#, irregularities: 0),
    ])
    func `what is odd and does no harm is let pass, and told`(row: Taken) throws {
        let response = try tokenResponse(row.body, mediaType: row.mediaType)
        #expect(response.accessToken == Secret("new-access"))
        #expect(response.scope == ["read"])
        #expect(response.expiresAt == nil && response.refreshTokenExpiresAt == nil)
        #expect(response.irregularities.count == row.irregularities)
        #expect(response.irregularities.allSatisfy { !$0.contains("new-") && !$0.contains("soon") })
    }

    @Test func `TR06: on a refresh an answer without a type means the type of the token that is renewed`() throws {
        let request = try tokenRequest()
        let body = #"{"access_token":"new-access","refresh_token":"new-refresh"}"#
        let response = try TokenResponse(answer(200), body: bytes(body), to: request, from: plainServer, at: now)
        #expect(response.tokenType == .bearer)
        #expect(response.irregularities.count == 1)
    }
}
