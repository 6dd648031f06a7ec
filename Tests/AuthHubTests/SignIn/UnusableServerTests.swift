import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Testing

/// A server that cannot be used to sign in is detected before a page is shown.
struct UnusableServerTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let name: String
        /// The value that replaces the member in the server's metadata; nil to remove the member.
        let value: JSONValue?

        init(_ description: String, _ name: String, _ value: JSONValue?) {
            testDescription = description
            self.name = name
            self.value = value
        }
    }

    private static let usable: JSONValue = [
        "issuer": "https://as.example", "authorization_endpoint": "https://as.example/authorize",
        "token_endpoint": "https://as.example/token", "code_challenge_methods_supported": ["S256"],
    ]

    private func session(with row: Row?, in setting: SessionSetting) throws -> OAuthSession {
        var document = try #require(Self.usable.object)
        if let row { document[row.name] = row.value }
        let body = JSONValue.object(document).serialized()
        let transport = RoutedTransport([
            (
                .get("https://as.example/.well-known/oauth-authorization-server"),
                .status(.ok, headers: [.contentType: "application/json"], body: body)
            )
        ])
        return OAuthSession(
            server: .issuer(try Issuer("https://as.example")), client: OAuthClient(id: "client"), browser: setting.browser,
            store: setting.store, dependencies: Dependencies(transport: transport) { start })
    }

    @Test(arguments: [
        Row("AR54 no S256", "code_challenge_methods_supported", ["plain"]),
        Row("AR54 no method at all", "code_challenge_methods_supported", []),
        Row("AR55 an endpoint with a fragment", "authorization_endpoint", "https://as.example/authorize#top"),
        Row("DD09 a sign-in page over http", "authorization_endpoint", "http://as.example/authorize"),
        Row("DD09 a sign-in page with a javascript URL", "authorization_endpoint", "javascript:alert(1)"),
        Row("DD09 a token endpoint over http", "token_endpoint", "http://as.example/token"),
        Row("DD10 no page", "authorization_endpoint", nil),
        Row("DD10 no token endpoint", "token_endpoint", nil),
        Row("DD02 another issuer", "issuer", "https://evil.example"),
    ])
    func `shows no page if the sign-in could not be completed`(row: Row) async throws {
        let setting = SessionSetting()
        let session = try session(with: row, in: setting)
        let failure = await #expect(throws: SessionError.self) { try await session.signIn() }
        #expect([.misconfigured, .securityCheckFailed].contains(failure?.code), "\(failure.map { "\($0)" } ?? "")")
        #expect(setting.browser.visitedURLs.isEmpty)
        #expect(try await setting.store.accounts().isEmpty)
    }

    @Test func `shows the page if nothing is wrong`() async throws {
        let setting = SessionSetting { _ in .cancelled }
        let session = try session(with: nil, in: setting)
        let failure = await #expect(throws: SessionError.self) { try await session.signIn() }
        #expect(failure?.code == .cancelledByUser)
        #expect(setting.browser.visitedURLs.count == 1)
    }
}
