import AuthHubPrimitives
import Testing

@testable import OAuthProtocol

/// The cases of p2/OAuth2's tests for responses of a token endpoint, see `docs/checks.md`.
struct ResponseTableTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: String
        var status = 200
        /// The expected error; nil if the response is accepted.
        let expected: OAuthError.Code?
        var serverError: ServerErrorCode?
    }

    /// Returns the example of RFC 6749 §5.1 without some of its members, and with additional ones.
    private static func answer(without names: Set<String> = [], adding more: [String: JSONValue] = [:]) -> String {
        var members = JSONObject()
        members["access_token"] = "2YotnFZFEjr1zCsicMWpAA"
        members["token_type"] = "bearer"
        members["expires_in"] = 3600
        members["refresh_token"] = "tGzv3JOkF0XG5Qx2TlKWIA"
        members["foo"] = "bar & hat"
        for name in names { members[name] = nil }
        for (name, value) in more { members[name] = value }
        return String(decoding: JSONValue.object(members).serialized(), as: UTF8.self)
    }

    @Test(arguments: [
        Row(testDescription: "p2/OAuth2: the example of the RFC", body: answer(), expected: nil),
        Row(testDescription: "p2/OAuth2: without a refresh token", body: answer(without: ["refresh_token"]), expected: nil),
        Row(testDescription: "p2/OAuth2: without an expiry", body: answer(without: ["expires_in"]), expected: nil),
        Row(testDescription: "p2/OAuth2: without an access token", body: answer(without: ["access_token"]), expected: .invalidResponse),
        Row(testDescription: "p2/OAuth2: without a token type", body: answer(without: ["token_type"]), expected: .invalidResponse),
        Row(
            testDescription: "p2/OAuth2: an unknown token type", body: answer(adding: ["token_type": "helicopter"]),
            expected: .invalidResponse),
        Row(testDescription: "p2/OAuth2: a token type in capitals", body: answer(adding: ["token_type": "BEARER"]), expected: nil),
        Row(
            testDescription: "p2/OAuth2: an error next to the tokens", body: answer(adding: ["error": "invalid_scope"]),
            expected: .serverRejected, serverError: .invalidScope),
        Row(
            testDescription: "p2/OAuth2: an error with 400", body: #"{"error":"invalid_request"}"#, status: 400, expected: .serverRejected,
            serverError: .invalidRequest),
        Row(
            testDescription: "p2/OAuth2: an error with 401", body: #"{"error":"unauthorized_client"}"#, status: 401,
            expected: .serverRejected, serverError: .unauthorizedClient),
        Row(
            testDescription: "p2/OAuth2: an error with 403", body: #"{"error":"access_denied"}"#, status: 403, expected: .serverRejected,
            serverError: .accessDenied),
        Row(
            testDescription: "p2/OAuth2, where it differs: tokens with an error status are not tokens", body: answer(), status: 400,
            expected: .invalidResponse),
        Row(testDescription: "p2/OAuth2: not an object", body: #"["access_token"]"#, expected: .invalidResponse),
        Row(testDescription: "p2/OAuth2: nothing", body: "", expected: .invalidResponse),
    ])
    func `accepts a response of the token endpoint, or throws an error with the reason`(row: Row) throws {
        let failure = error { () throws(OAuthError) in try tokenResponse(row.body, status: row.status) }
        #expect(failure?.code == row.expected)
        #expect(failure?.serverError?.code == row.serverError)
        #expect(failure.map { "\($0)" }?.contains("2YotnFZFEjr1zCsicMWpAA") != true)
        guard row.expected == nil else { return }
        let response = try tokenResponse(row.body)
        #expect(response.accessToken == Secret("2YotnFZFEjr1zCsicMWpAA"))
        #expect(response.member("foo")?.reveal().string == "bar & hat")
    }

    @Test func `p2/OAuth2: odd names and values of a caller are unchanged in the URL`() throws {
        let parameters: FormParameters = [
            "a": "A", "a name/odd & more=fun": "a value/odd & more=fun", "+": "%", "é": "€", "empty": "",
        ]
        let url = try AuthorizationRequest(
            to: plainServer, client: client, redirectURI: redirectURI, scope: [], parameters: parameters, at: now
        ).url
        #expect(url.utf8.allSatisfy { (0x21...0x7E).contains($0) })
        let read = try FormParameters(decoding: url.split(separator: "?", maxSplits: 1).last ?? "")
        #expect(read.parameters.suffix(parameters.parameters.count) == parameters.parameters[...])
    }
}
