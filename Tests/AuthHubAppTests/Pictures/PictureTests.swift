import AuthHub
import AuthHubPrimitives
import GitHubAPI
import HTTPLoading
import Testing

@testable import AuthHubApp

@MainActor @Suite(.timeLimit(.minutes(2)))
struct PictureTests {
    private nonisolated static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0]

    struct Kind: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let bytes: [UInt8]
        let kind: PictureKind?
    }

    @Test(arguments: [
        Kind(testDescription: "PNG", bytes: png, kind: .png),
        Kind(testDescription: "JPEG", bytes: [0xFF, 0xD8, 0xFF, 0xE0], kind: .jpeg),
        Kind(testDescription: "GIF of 1987", bytes: Array("GIF87a…".utf8), kind: .gif),
        Kind(testDescription: "GIF of 1989", bytes: Array("GIF89a…".utf8), kind: .gif),
        Kind(testDescription: "WebP", bytes: Array("RIFF1234WEBPVP8 ".utf8), kind: .webP),
        Kind(testDescription: "sound in the same container", bytes: Array("RIFF1234WAVEfmt ".utf8), kind: nil),
        Kind(testDescription: "SVG, which may hold a program", bytes: Array("<svg xmlns=".utf8), kind: nil),
        Kind(testDescription: "a web page", bytes: Array("<!doctype html>".utf8), kind: nil),
        Kind(testDescription: "half a signature", bytes: [0x89, 0x50], kind: nil),
        Kind(testDescription: "nothing", bytes: [], kind: nil),
    ])
    func `pictures are known by their first bytes`(row: Kind) {
        #expect(PictureKind(row.bytes) == row.kind)
    }

    @Test func `the person's picture is loaded once, and never with the token`() async throws {
        let bench = Bench()
        bench.services.always(at: "/octocat", .bytes(Self.png))
        let list = try await bench.listed()
        await until { list.picture != nil }
        #expect(list.picture == Self.png)
        await list.refresh()
        #expect(bench.services.authorizations(at: "/octocat") == [nil])
        #expect(bench.services.authorizations(at: "/user").allSatisfy { $0 != nil })
    }

    @Test func `a picture that cannot be had is nobody's problem, and is asked for again by a refresh`() async throws {
        let bench = Bench()
        let door = Door()
        bench.services.next(at: "/octocat", .failure(.cannotConnect), .answer(404), .bytes(Array("<html>".utf8)), .waits(door))
        bench.services.always(at: "/octocat", .bytes(Self.png))
        let list = try await bench.listed()
        for count in 2...4 {
            // It is asked for again only once the request before has come to nothing.
            while bench.services.count("/octocat") < count, !Task.isCancelled { await list.refresh() }
            #expect(list.picture == nil && list.problem == nil)
        }
        door.open()
        while bench.services.count("/octocat") < 5, !Task.isCancelled { await list.refresh() }
        await until { list.picture != nil }
    }

    struct Address: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let address: String
        var api = "https://api.github.com"
        var bytes = png
        let isLoaded: Bool
    }

    @Test(arguments: [
        Address(testDescription: "https", address: "https://avatars.example/octocat", isLoaded: true),
        Address(testDescription: "http", address: "http://avatars.example/octocat", isLoaded: false),
        Address(testDescription: "a file", address: "file:///octocat", isLoaded: false),
        Address(testDescription: "no address", address: "octocat", isLoaded: false),
        Address(testDescription: "this machine, named by a stranger", address: "http://127.0.0.1:631/octocat", isLoaded: false),
        Address(testDescription: "this machine by https", address: "https://localhost/octocat", isLoaded: false),
        Address(
            testDescription: "this machine, where the service is", address: "http://127.0.0.1:631/octocat", api: "http://127.0.0.1:8080",
            isLoaded: true),
        Address(
            testDescription: "as large as may be", address: "https://avatars.example/octocat",
            bytes: png + [UInt8](repeating: 0, count: 1_048_576 - png.count), isLoaded: true),
        Address(
            testDescription: "too large", address: "https://avatars.example/octocat",
            bytes: png + [UInt8](repeating: 0, count: 1_048_577 - png.count), isLoaded: false),
    ])
    func `a picture comes from where it may, in a size that it may have`(row: Address) async throws {
        let bench = Bench()
        bench.services.always(at: "/octocat", .bytes(row.bytes))
        let loader = try #require(PictureLoader(of: .gitHub(api: row.api), by: bench.surroundings))
        let picture = await loader.picture(at: row.address)
        #expect((picture == row.bytes) == row.isLoaded)
    }
}
