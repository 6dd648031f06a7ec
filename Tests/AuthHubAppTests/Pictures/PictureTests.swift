import AuthHub
import AuthHubPrimitives
import GitHubAPI
import HTTPLoading
import Testing

@testable import AuthHubApp

@MainActor @Suite(.timeLimit(.minutes(15)))
struct PictureTests {
    private nonisolated static let png = png(1, 1)

    private nonisolated static func png(_ width: UInt32, _ height: UInt32) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8) + bytes(width) + bytes(height) + [8, 2, 0, 0, 0]
    }

    /// Returns a JPEG with tables, a frame header, and empty scans.
    private nonisolated static func jpeg(_ width: UInt16, _ height: UInt16, frame: UInt8 = 0xC2, scans: Int = 1) -> [UInt8] {
        let frame = [0xFF, frame, 0, 17, 8] + bytes(height) + bytes(width) + [UInt8](repeating: 0, count: 10)
        let scan: [UInt8] = [0xFF, 0xDA, 0, 2]
        return [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xC4, 0, 3, 1] + frame + Array(repeatElement(scan, count: scans).joined())
    }

    private nonisolated static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    struct Header: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let bytes: [UInt8]
        var kind: PictureHeader.Kind?
        var width = 0
        var height = 0
    }

    @Test(arguments: [
        Header(testDescription: "PNG", bytes: png(460, 300), kind: .png, width: 460, height: 300),
        Header(testDescription: "PNG of the maximum size", bytes: png(2048, 2048), kind: .png, width: 2048, height: 2048),
        Header(testDescription: "PNG that is too wide", bytes: png(2049, 1)),
        Header(testDescription: "PNG that is too high", bytes: png(1, 2049)),
        Header(testDescription: "PNG without pixels", bytes: png(0, 1)),
        Header(testDescription: "PNG that ends in its header", bytes: Array(png(1, 1).prefix(23))),
        Header(testDescription: "PNG with a different first chunk", bytes: Array(png(1, 1).prefix(12)) + Array("tEXt12345678".utf8)),
        Header(testDescription: "JPEG", bytes: jpeg(460, 300, frame: 0xC0), kind: .jpeg, width: 460, height: 300),
        Header(testDescription: "progressive JPEG", bytes: jpeg(460, 300, scans: 32), kind: .jpeg, width: 460, height: 300),
        Header(testDescription: "JPEG that is decoded again and again", bytes: jpeg(460, 300, scans: 33)),
        Header(testDescription: "JPEG that is too large", bytes: jpeg(2049, 300)),
        Header(testDescription: "JPEG without a frame", bytes: [0xFF, 0xD8, 0xFF, 0xDA, 0, 2, 0, 0, 0, 0, 0, 0]),
        Header(testDescription: "JPEG with a segment that leads nowhere", bytes: [0xFF, 0xD8, 0xFF, 0xE0, 0, 0, 0, 0, 0, 0, 0, 0]),
        Header(testDescription: "JPEG that ends in a segment", bytes: [0xFF, 0xD8, 0xFF, 0xE0, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0]),
        Header(testDescription: "GIF, whose frames may be larger than declared", bytes: Array("GIF89a…".utf8)),
        Header(testDescription: "WebP, which not every window can show", bytes: Array("RIFF1234WEBPVP8 ".utf8)),
        Header(testDescription: "SVG, which may contain a program", bytes: Array("<svg xmlns=".utf8)),
        Header(testDescription: "a web page", bytes: Array("<!doctype html>".utf8)),
        Header(testDescription: "half a signature", bytes: [0x89, 0x50]),
        Header(testDescription: "nothing", bytes: []),
    ])
    func `reads the size of a picture from its first bytes, and rejects one that is too large`(row: Header) {
        let header = PictureHeader(row.bytes)
        #expect(header?.kind == row.kind)
        #expect(header?.width ?? 0 == row.width && header?.height ?? 0 == row.height)
    }

    @Test func `loads the user's picture once, and never with the token`() async throws {
        let bench = Bench()
        bench.services.always(at: "/octocat", .bytes(Self.png))
        let list = try await bench.listed()
        await until { list.picture != nil }
        #expect(list.picture == Self.png)
        await list.refresh()
        #expect(bench.services.authorizations(at: "/octocat") == [nil])
        #expect(bench.services.authorizations(at: "/user").allSatisfy { $0 != nil })
    }

    @Test func `a missing picture is not an error, and a refresh requests it again`() async throws {
        let bench = Bench()
        let door = Door()
        bench.services.next(at: "/octocat", .failure(.cannotConnect), .answer(404), .bytes(Array("<html>".utf8)), .waits(door))
        bench.services.always(at: "/octocat", .bytes(Self.png))
        let list = try await bench.listed()
        for count in 2...4 {
            // The picture is requested again only after the previous request has failed.
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
        /// The address that every host name resolves to.
        var place = "93.184.215.14"
        let isLoaded: Bool
    }

    @Test(arguments: [
        Address(testDescription: "https", address: "https://avatars.example/octocat", isLoaded: true),
        Address(testDescription: "http", address: "http://avatars.example/octocat", isLoaded: false),
        Address(testDescription: "a file", address: "file:///octocat", isLoaded: false),
        Address(testDescription: "an empty address", address: "octocat", isLoaded: false),
        Address(testDescription: "this machine, in an untrusted URL", address: "http://127.0.0.1:631/octocat", isLoaded: false),
        Address(testDescription: "this machine over https", address: "https://localhost/octocat", isLoaded: false),
        Address(
            testDescription: "this machine, where the service is", address: "http://127.0.0.1:631/octocat", api: "http://127.0.0.1:8080",
            isLoaded: true),
        Address(testDescription: "RS15 a private network", address: "https://192.168.0.1/octocat", isLoaded: false),
        Address(testDescription: "RS15 the cloud's metadata service", address: "https://169.254.169.254/octocat", isLoaded: false),
        Address(testDescription: "RS15 a private network, in numeric form", address: "https://0xA000001/octocat", isLoaded: false),
        Address(testDescription: "RS15 a name of a private network", address: "https://printer.local/octocat", isLoaded: false),
        Address(
            testDescription: "RS15 a name that resolves to a private address", address: "https://avatars.example/octocat",
            place: "10.0.0.1", isLoaded: false),
        Address(
            testDescription: "RS15 a private network, where the service is", address: "https://git.corp/octocat",
            api: "https://git.corp/api/v3",
            place: "10.0.0.1", isLoaded: true),
        Address(
            testDescription: "the maximum size", address: "https://avatars.example/octocat",
            bytes: png + [UInt8](repeating: 0, count: 1_048_576 - png.count), isLoaded: true),
        Address(
            testDescription: "too large", address: "https://avatars.example/octocat",
            bytes: png + [UInt8](repeating: 0, count: 1_048_577 - png.count), isLoaded: false),
    ])
    func `loads pictures only from allowed addresses and up to the maximum size`(row: Address) async throws {
        _ = try await check(row, at: .gitHub(api: row.api))
    }

    @Test(arguments: [
        Address(testDescription: "https", address: "https://pictures.example/octocat", isLoaded: true),
        Address(testDescription: "http", address: "http://pictures.example/octocat", isLoaded: false),
        Address(testDescription: "this machine", address: "https://127.0.0.1/octocat", isLoaded: false),
        Address(
            testDescription: "a development server on this machine", address: "http://127.0.0.1:631/octocat",
            api: "http://127.0.0.1:8080", isLoaded: true),
        Address(testDescription: "RS15 a private network", address: "https://192.168.0.1/octocat", isLoaded: false),
        Address(
            testDescription: "RS15 a private network, even if the issuer is there", address: "https://id.corp/octocat",
            api: "https://id.corp", place: "10.0.0.1", isLoaded: false),
        Address(
            testDescription: "too large", address: "https://pictures.example/octocat",
            bytes: png + [UInt8](repeating: 0, count: 1_048_577 - png.count), isLoaded: false),
    ])
    func `loads a picture that an ID token names only from public addresses`(row: Address) async throws {
        let bench = try await check(row, at: .openID(issuer: row.api))
        #expect(bench.services.authorizations(at: "/octocat").allSatisfy { $0 == nil })
    }

    private func check(_ row: Address, at service: AppProvider.Service) async throws -> Bench {
        let bench = Bench()
        bench.services.always(at: "/octocat", .bytes(row.bytes))
        var dependencies = bench.dependencies
        dependencies.addresses = { _ in [row.place] }
        let loader = try #require(PictureLoader(of: service, by: dependencies))
        let picture = await loader.picture(at: row.address)
        #expect((picture == row.bytes) == row.isLoaded)
        return bench
    }
}
