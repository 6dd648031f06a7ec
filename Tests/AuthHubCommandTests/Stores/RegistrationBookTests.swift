@testable import AuthHubCommand
import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol
import Testing

struct RegistrationBookTests {
    private static let issuer = "https://as.example"

    private static func registration(_ id: String) throws -> ClientRegistration {
        try ClientRegistration(
            serialized: Secret(Array(#"{"format":1,"server":"https://as.example","client_id":"\#(id)"}"#.utf8)))
    }

    @Test func `what a server said about an older registration neither replaces nor deletes a newer one`() async throws {
        let folder = try TestFolder()
        defer { withExtendedLifetime(folder) {} }
        let book = RegistrationBook(store: ToolStore.inFolder("\(folder.path)/store"))
        try await book.save(try Self.registration("old"), at: Self.issuer)
        let (_, version) = try #require(try await book.stored(at: Self.issuer))
        try await book.save(try Self.registration("new"), at: Self.issuer)
        let failure = await #expect(throws: Failure.self) {
            try await book.save(try Self.registration("old"), at: Self.issuer, replacing: version)
        }
        #expect(failure?.exit == .tryAgain)
        try await book.forget(Self.issuer, at: version)
        #expect(try await book.registration(at: Self.issuer)?.clientID == "new")
        try await book.forget(Self.issuer)
        #expect(try await book.registration(at: Self.issuer) == nil)
    }
}
