#if os(Linux)
import Platform
@testable import AuthHubCommand
import AuthHubPrimitives
import Testing

/// The tests have their own folders, because a running tool removes abandoned ones from `/dev/shm`.
final class TokenFileTests {
    private let parent = "/dev/shm/authhub-tests.\(UUID().uuidString)"

    init() throws { try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: false) }

    deinit { try? FileManager.default.removeItem(atPath: parent) }

    @Test func `only the owner can read the file, and it contains nothing but the newest token`() throws {
        let file = try TokenFile(in: ["/proc", parent])
        defer { file.remove() }
        for token in ["first", "2nd"] {
            try file.write(Secret(token))
            #expect(try String(contentsOfFile: file.path, encoding: .utf8) == token)
            #expect(permissions(file.path) == 0o600)
        }
        let folder = String(file.path.dropLast("/token".count))
        #expect(permissions(folder) == 0o700)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["token"])
    }

    @Test func `nothing is left after it was removed`() throws {
        let file = try TokenFile(in: [parent])
        try file.write(Secret("token"))
        file.remove()
        #expect(!FileManager.default.fileExists(atPath: String(file.path.dropLast("/token".count))))
    }

    @Test func `a file in use stays when others are created, and one of a killed program is removed`() throws {
        let abandoned = "\(parent)/authhub-exec.abandoned"
        try FileManager.default.createDirectory(atPath: abandoned, withIntermediateDirectories: false)
        try Data("token".utf8).write(to: URL(filePath: "\(abandoned)/token"))
        let first = try TokenFile(in: [parent])
        try first.write(Secret("first"))
        let second = try TokenFile(in: [parent])
        defer { [first, second].forEach { $0.remove() } }
        #expect(FileManager.default.fileExists(atPath: first.path))
        #expect(!FileManager.default.fileExists(atPath: abandoned))
    }

    @Test func `a token is not written to a disk`() throws {
        do {
            _ = try TokenFile(in: ["/proc"])
            Issue.record("/proc is not a tmpfs")
        } catch {
            #expect(error.message.contains("/proc must be a tmpfs") && error.hint.contains("--env"))
        }
    }

    private func permissions(_ path: String) -> mode_t? {
        var information = stat()
        return stat(path, &information) == 0 ? information.st_mode & 0o777 : nil
    }
}
#endif
