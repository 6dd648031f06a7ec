import AuthHub
import Testing

/// Tests the lines of the README with a single import.
struct SixLinesTests {
    @Test func `the lines of the README create a session that has done nothing yet`() throws {
        let session = try makeSession(secret: "s3cret")
        #expect(session.state == .unknown)
        #expect(session.account.clientID == "Iv23…")
    }

    private func makeSession(secret: String) throws -> OAuthSession {
        OAuthSession(
            server: .gitHubApp,
            client: .init(id: "Iv23…", secret: Secret(secret)),
            browser: .system(ephemeral: true),
            store: try .platformDefault(service: "com.example.app"))
    }

    /// Compiled but not run, because it would open a browser.
    private func use(_ session: OAuthSession, render: @escaping @Sendable (SessionState) -> Void) async throws {
        let repositories = try await session.load(.get("https://api.github.com/user/repos"))
        _ = repositories
        Task { for await state in session.states { render(state) } }
        await session.signOut()
    }
}
