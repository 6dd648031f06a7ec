import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import OAuthProtocol
import Platform
import Testing

/// Runs the code of the guide "Coming from another client".
struct ComingFromAnotherClientTests {
    /// The tokens of the other library, in its own file.
    private struct SavedTokens {
        var accessToken: String
        var refreshToken: String
        var expiresAt: Date

        struct Unreadable: Error {}

        init(file: String) throws {
            guard let content = FileManager.default.contents(atPath: file), let json = try? JSONValue(strict: Array(content)),
                let accessToken = json["access_token"]?.string, let refreshToken = json["refresh_token"]?.string
            else { throw Unreadable() }
            self.accessToken = accessToken
            self.refreshToken = refreshToken
            expiresAt = json["is_expired"] == true ? .distantPast : .distantFuture
        }

        func write(to file: String) throws {
            let json: JSONValue = [
                "access_token": .string(accessToken), "refresh_token": .string(refreshToken), "is_expired": .bool(expiresAt < .now),
            ]
            _ = FileManager.default.createFile(atPath: file, contents: Data(json.serialized()))
        }
    }

    /// The other library.
    private struct OldClient {
        let server: RotatingServer

        func refresh(_ tokens: SavedTokens) async throws -> SavedTokens {
            let form: FormParameters = ["grant_type": "refresh_token", "refresh_token": tokens.refreshToken, "client_id": "client"]
            let answer = try await server.send(.post("https://as.example/token", body: .bytes(Array(form.encoded().utf8))))
            let json = try JSONValue(strict: try await answer.body.collect(upTo: 10_000))
            var tokens = tokens
            tokens.accessToken = try #require(json["access_token"]?.string)
            tokens.refreshToken = try #require(json["refresh_token"]?.string)
            tokens.expiresAt = .distantFuture
            return tokens
        }

        func get(_ url: String, bearer token: String) async throws -> [UInt8] {
            let answer = try await server.send(.get(url, headers: [.authorization: "Bearer \(token)"]))
            #expect(answer.status == .ok)
            return try await answer.body.collect(upTo: 10_000)
        }
    }

    private let setting = SessionSetting()
    private let file = FileManager.default.temporaryDirectory.path(percentEncoded: false) + "/old-\(UUID().uuidString).json"
    private let session: OAuthSession
    private let oldClient: OldClient

    init() {
        session = setting.session(.manual)
        oldClient = OldClient(server: setting.server)
    }

    /// Signs the user in to the old program, whose access token has expired.
    private func signInBefore() async throws {
        let before = SessionSetting(server: setting.server)
        try await before.session().signIn()
        let json: JSONValue = ["access_token": "access-1", "refresh_token": "refresh-1", "is_expired": true]
        _ = FileManager.default.createFile(atPath: file, contents: Data(json.serialized()))
    }

    // snippet: coming-before
    func notesBefore() async throws -> [UInt8] {
        var tokens = try SavedTokens(file: file)
        if tokens.expiresAt < .now {
            tokens = try await oldClient.refresh(tokens)
            try tokens.write(to: file)
        }
        return try await oldClient.get("https://api.example/notes", bearer: tokens.accessToken)
    }
    // end

    // snippet: coming-after
    func notesAfter() async throws -> [UInt8] {
        let response = try await session.load(.get("https://api.example/notes"))
        return try await response.body.collect(upTo: 1_048_576)
    }
    // end

    // snippet: coming-adopt
    func moveTokens() async throws {
        guard try await session.restore().isSignedOut, let old = try? SavedTokens(file: file) else { return }
        do {
            try await session.adopt(refreshToken: Secret(old.refreshToken))
        } catch {
            // The server no longer accepts the token: the user signs in again, and the old copy is useless.
            guard error.serverError?.code == .invalidGrant else { throw error }
        }
        try FileManager.default.removeItem(atPath: file)
    }
    // end

    @Test func `both programs read the same notes, and the user signs in only once`() async throws {
        defer { try? FileManager.default.removeItem(atPath: file) }
        try await signInBefore()
        #expect(try await notesBefore() == Array("{}".utf8))
        try await moveTokens()
        #expect(try await notesAfter() == Array("{}".utf8))
        #expect(!FileManager.default.fileExists(atPath: file))
        #expect(setting.browser.visitedURLs.isEmpty)
        #expect(setting.server.tokenRequests == ["authorization_code", "refresh_token", "refresh_token"])
        try await moveTokens()
        #expect(setting.server.tokenRequests.count == 3, "the second time, there is nothing to do")
    }

    @Test func `without a network, the old copy stays`() async throws {
        defer { try? FileManager.default.removeItem(atPath: file) }
        try await signInBefore()
        setting.server.configure { $0.atToken = { request throws(LoadError) in throw LoadError(.cannotConnect, for: request) } }
        let failure = await #expect(throws: SessionError.self) { try await moveTokens() }
        #expect(failure?.code == .unreachable)
        #expect(try SavedTokens(file: file).refreshToken == "refresh-1")
    }

    @Test func `a token that the server no longer accepts is deleted, and the user signs in again`() async throws {
        defer { try? FileManager.default.removeItem(atPath: file) }
        try await signInBefore()
        var tokens = try SavedTokens(file: file)
        tokens.refreshToken = "revoked"
        try tokens.write(to: file)
        try await moveTokens()
        #expect(!FileManager.default.fileExists(atPath: file))
        #expect(session.state.isSignedOut)
    }

    @Test func `an access token is enough for requests`() async throws {
        let before = SessionSetting(server: setting.server)
        try await before.session().signIn()
        let accessToken = "access-1"
        // snippet: coming-access-token
        try await session.adopt(TokenResponse(accessToken: Secret(accessToken), scope: ["notes.read"]))
        // end
        #expect(try await notesAfter() == Array("{}".utf8))
    }
}
