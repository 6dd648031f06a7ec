import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Testing

/// A code is sent in a single request. It is never sent again automatically, whatever happens (RFC 6749 §4.1.2).
struct CodeReplayTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: ScriptedAnswer
        let expected: SessionError.Code
    }

    @Test(arguments: [
        Row(testDescription: "TR29 the connection is lost", answer: .failure(.connectionLost), expected: .unreachable),
        Row(testDescription: "TR29 the request times out", answer: .failure(.timedOut), expected: .unreachable),
        Row(testDescription: "TR29 no connection", answer: .failure(.cannotConnect), expected: .unreachable),
        Row(testDescription: "TR29 500", answer: .status(.internalServerError), expected: .unreachable),
        Row(
            testDescription: "TR29 503 with Retry-After", answer: .status(.serviceUnavailable, headers: [.retryAfter: "1"]),
            expected: .unreachable),
        Row(
            testDescription: "TR30 another client authentication method is demanded",
            answer: .json(["error": "invalid_client"], status: .unauthorized), expected: .serverRejected),
        Row(
            testDescription: "TR26 a redirect", answer: .redirect(.temporaryRedirect, to: "https://as.example/token2"),
            expected: .serverMisbehaved),
        Row(testDescription: "TR23 a page", answer: .status(.ok, headers: [.contentType: "text/html"]), expected: .serverMisbehaved),
    ])
    func `sends a code once, whatever the response`(row: Row) async throws {
        let setting = SessionSetting()
        let scripted = RoutedTransport([(.any, row.answer)])
        setting.server.configure { $0.atToken = { request throws(LoadError) in try await scripted.send(request) } }
        let session = setting.session()
        let failure = await #expect(throws: SessionError.self) { try await session.signIn() }
        #expect(failure?.code == row.expected)
        #expect(setting.server.tokenRequests == ["authorization_code"])
        // The code is not sent again either if the same callback arrives a second time.
        let callback = await consenting(try #require(setting.browser.visitedURLs.first))
        guard case .callback(let url) = callback else { return }
        setting.server.configure { $0.atToken = nil }
        let repeated = await #expect(throws: SessionError.self) { try await session.finishSignIn(with: url) }
        #expect(repeated?.code == .securityCheckFailed)
        #expect(setting.server.tokenRequests == ["authorization_code"])
        #expect(try await setting.store.accounts().isEmpty)
    }
}
