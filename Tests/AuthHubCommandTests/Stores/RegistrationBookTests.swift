@testable import AuthHubCommand
import AuthHub
import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol
import Testing

struct RegistrationBookTests {
    private static let key = RegistrationKey(issuer: "https://as.example")

    private static func registration(_ id: String) throws -> ClientRegistration {
        try ClientRegistration(
            serialized: Secret(Array(#"{"format":1,"server":"https://as.example","client_id":"\#(id)"}"#.utf8)))
    }

    @Test func `what a server said about an older registration neither replaces nor deletes a newer one`() async throws {
        let folder = try TestFolder()
        defer { withExtendedLifetime(folder) {} }
        let book = RegistrationBook(store: ToolStore.inFolder("\(folder.path)/store"))
        try await book.save(try Self.registration("old"), for: Self.key)
        let (_, version) = try #require(try await book.stored(Self.key))
        try await book.save(try Self.registration("new"), for: Self.key)
        let failure = await #expect(throws: Failure.self) {
            try await book.save(try Self.registration("old"), for: Self.key, replacing: version)
        }
        #expect(failure?.exit == .tryAgain)
        try await book.forget(Self.key, at: version)
        #expect(try await book.registration(Self.key)?.clientID == "new")
        try await book.forget(Self.key)
        #expect(try await book.registration(Self.key) == nil)
    }
}
