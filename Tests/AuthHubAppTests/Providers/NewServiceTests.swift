import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol
import Platform
import Testing

@testable import AuthHubApp

struct NewServiceTests {
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.path + "/authhub-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body("\(folder)/authhub/app")
    }

    private func save(_ service: NewService, in folder: String) throws {
        try service.save(clientID: "id-1", secret: service.hasSecret ? Secret("s3cret") : nil, inFolder: folder)
    }

    @Test(arguments: NewService.all)
    func `the app starts with what it has saved, and only the user can read it`(service: NewService) throws {
        try withFolder { folder in
            try save(service, in: folder)
            let provider = try #require(try AppProvider.all(inFolder: folder).first)
            #expect(provider.id == service.id && provider.client.id == "id-1")
            #expect(provider.client.secret?.reveal() == (service.hasSecret ? "s3cret" : nil))
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
                #expect(try FileSystem.privateFile("\(folder)/\(name)", atMost: 1000) != nil)
            }
        }
    }

    @Test func `replaces no file`() throws {
        let service = try #require(NewService.all.first)
        try withFolder { folder in
            try save(service, in: folder)
            let problem = try #require(throws: AppProblem.self) { try save(service, in: folder) }
            #expect(problem.text == "The settings cannot be saved.")
            #expect(problem.advice.hasSuffix("exists already; remove it."), "\(problem.advice)")
        }
    }

    @Test func `a failed attempt leaves no secret behind`() throws {
        let service = try #require(NewService.all.first { $0.hasSecret })
        try withFolder { folder in
            try FileManager.default.createDirectory(atPath: "\(folder)/\(service.id).json", withIntermediateDirectories: true)
            #expect(throws: AppProblem.self) { try save(service, in: folder) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["\(service.id).json"])
            try FileManager.default.removeItem(atPath: "\(folder)/\(service.id).json")
            try save(service, in: folder)
        }
    }

    @Test func `says which callback URL to register`() {
        #expect(NewService.all.map(\.id) == ["github-app", "github", "anilist", "google"])
        #expect(
            NewService.all.map(\.redirectURI) == [
                "http://127.0.0.1/callback", "http://127.0.0.1/callback", "https://anilist.co/api/v2/oauth/pin",
                "http://127.0.0.1/callback",
            ])
        #expect(NewService.all.allSatisfy { $0.registrationPage?.hasPrefix("https://") ?? false })
        #expect(NewService.all.map(\.hasSecret) == [true, true, false, true])
    }
}
