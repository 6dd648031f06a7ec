import AuthHubPrimitives
import HTTPTypes
import Platform
import Testing

@testable import OAuthProtocol

/// GitHub's quirks, one per row; see "Authorizing OAuth apps" and "Generating a user access token for a GitHub App" in GitHub's
/// documentation.
struct GitHubQuirksTests {
    private let server = ProviderProfile.gitHubApp

    @Test func `GitHub 1: the answer is a form unless JSON is asked for, and JSON is asked for`() throws {
        let response = try tokenResponse(
            "access_token=ghu_16C7e42F&expires_in=28800&refresh_token=ghr_1B4a2e77&refresh_token_expires_in=15897600&scope=&token_type=bearer",
            mediaType: "application/x-www-form-urlencoded; charset=utf-8", from: server)
        #expect(response.accessToken == Secret("ghu_16C7e42F"))
        #expect(response.expiresAt == now.addingTimeInterval(28800))
        #expect(try tokenRequest(at: server).message.head.headerFields[.accept] == "application/json")
    }

    @Test(arguments: [
        ("bad_verification_code", ServerErrorCode.invalidGrant), ("bad_refresh_token", .invalidGrant),
        ("incorrect_client_credentials", .invalidClient), ("redirect_uri_mismatch", .invalidRequest),
        ("something_new", ServerErrorCode(rawValue: "something_new")),
    ])
    func `GitHub 2: errors come with status 200 and names of their own`(name: String, code: ServerErrorCode) {
        let failure = error { () throws(OAuthError) in
            try tokenResponse("error=\(name)&error_description=No.", mediaType: "application/x-www-form-urlencoded", from: server)
        }
        #expect(failure?.serverError?.code == code)
        #expect(failure?.serverError?.originalCode == name)
        #expect(failure?.serverError?.status == 200)
    }

    @Test func `GitHub 3: granted scopes have commas between them`() throws {
        let response = try tokenResponse(#"{"access_token":"gho_1","scope":"repo,gist","token_type":"bearer"}"#, from: .gitHub)
        #expect(response.scope == ["repo", "gist"])
    }

    @Test func `GitHub 4: an app's token has an empty scope, since it has permissions`() throws {
        let response = try tokenResponse(#"{"access_token":"ghu_1","scope":"","token_type":"bearer"}"#, from: server)
        #expect(response.scope.isEmpty)
    }

    @Test func `GitHub 5: the refresh token has an end of its own`() throws {
        let response = try tokenResponse(
            #"{"access_token":"a","token_type":"bearer","expires_in":28800,"refresh_token":"r","refresh_token_expires_in":15897600}"#,
            from: server)
        #expect(response.refreshTokenExpiresAt == now.addingTimeInterval(15_897_600))
    }

    @Test func `GitHub 6: an OAuth app's token has no end and no refresh token`() throws {
        let response = try tokenResponse(#"{"access_token":"gho_1","scope":"repo","token_type":"bearer"}"#, from: .gitHub)
        #expect(response.expiresAt == nil)
        #expect(response.refreshToken == nil)
    }

    @Test func `GitHub 7: the client secret is needed beside PKCE, and goes into the body`() throws {
        let form = try FormParameters(decoding: String(decoding: try tokenRequest(at: server).message.body.reveal(), as: UTF8.self))
        #expect(form["client_secret"] == "s3cret")
        let secretless = OAuthClient(id: "c")
        let failure = error { () throws(OAuthError) in try ClientAuthentication(secretless, at: server) }
        #expect(failure?.code == .misuse)
    }

    @Test func `GitHub 8: a token is revoked by DELETE with the client's credentials, and one that is gone counts as revoked`() throws {
        let requests = try RevocationRequest.revoking(
            accessToken: Secret("ghu_1"), refreshToken: Secret("ghr_1"), client: client, at: server)
        let request = try #require(requests.first)
        #expect(requests.count == 1)
        #expect(request.message.head.method == .delete)
        #expect(request.message.head.authority == "api.github.com")
        #expect(request.message.head.path == "/applications/a+client/token")
        #expect(request.message.head.headerFields[.authorization] == "Basic YSBjbGllbnQ6czNjcmV0")
        #expect(String(decoding: request.message.body.reveal(), as: UTF8.self) == #"{"access_token":"ghu_1"}"#)
        for status in [204, 404, 422] {
            try request.checkResponse(HTTPResponse(status: .init(code: status)), body: Secret([]), from: server)
        }
    }
}
