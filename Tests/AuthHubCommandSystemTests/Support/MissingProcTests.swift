#if canImport(Glibc)
@testable import AuthHubCommandTests
import Testing

/// The tool in a mount namespace in which `/proc` is empty.
struct MissingProcTests {
    private static let script = "mount -t tmpfs none /proc && exec \"$@\""

    private static func run(_ words: String...) async throws -> ChildProcess.Output {
        let folder = try TestFolder()
        defer { withExtendedLifetime(folder) {} }
        let environment = ["HOME": folder.path, "AUTHHUB_STORE": "\(folder.path)/store", "PATH": "/usr/bin:/bin:/usr/sbin:/sbin"]
        let unshare = ["--user", "--map-root-user", "--mount", "sh", "-c", script, "sh"]
        return try await ChildProcess("/usr/bin/unshare", unshare + words, environment: environment).end()
    }

    private static func isPossible() async -> Bool { (try? await run("true").status) == 0 }

    @Test(.enabled("needs user namespaces") { await isPossible() })
    func `the tool knows its arguments without /proc`() async throws {
        let unknown = try await Self.run(Tool.path, "frobnicate")
        #expect(unknown.status == 64, "\(unknown.text)")
        let token = try await Self.run(Tool.path, "token")
        #expect(token.status != 0 && token.text.isEmpty, "\(token.text)")
    }
}
#endif
